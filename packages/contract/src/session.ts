import * as z from 'zod';
import { filledText } from './text.ts';

const KEY_MAX = 200;

export const sessionBody = z
  .object({ key: filledText(KEY_MAX).meta({ description: 'The token of an API key.' }) })
  .meta({ id: 'BeginSession', description: 'The key to sign in with.' });
