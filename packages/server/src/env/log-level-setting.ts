import * as z from 'zod';
import { LOG_LEVELS } from '../observability/logger.ts';
import { setting } from './settings.ts';

export const logLevelSetting = () =>
  setting(z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`);
