import * as z from 'zod';
import { STORABLE } from './text.ts';

// Texts of answers. The bounds are for readers of the document: the service does not check its answers.

/** A message of a plugin is cut after 50,000 code points, with a note of the missing length. */
const MESSAGE_MAX = 50_050;
/** The registration of a plugin is as large as the operator wrote it. */
export const JSON_TEXT_MAX = 16 * 1024 * 1024;
/** `PUBLIC_URL` or the host, and what the caller sent as path and query, encoded anew. */
const ADDRESS_MAX = 64 * 1024;

export const shownText = (max: number): z.ZodString => z.string().meta({ maxLength: max, pattern: STORABLE });

export const shownMessage = shownText(MESSAGE_MAX);

/** The JSON text of an object. */
export const shownJson = z.string().meta({ maxLength: JSON_TEXT_MAX, pattern: String.raw`^\{[\s\S]*\}$` });

export const address = z.url().meta({ maxLength: ADDRESS_MAX });

export const uuid = z.guid().meta({ maxLength: 36 });
