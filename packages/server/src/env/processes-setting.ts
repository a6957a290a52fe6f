import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { setting, wholeNumber } from './settings.ts';

const MOST = 128;

/** The number of processes of an app on this machine. */
export const processesSetting = () =>
  setting(
    z.union([z.literal('auto').transform(() => availableParallelism()), wholeNumber(1, MOST)]).default(1),
    `a number of processes, 1 to ${MOST}, or auto: one for each core`,
  );
