import * as z from 'zod';
import { STORABLE } from './text.ts';

// Texts in responses. The bounds document them; the service does not check its own responses.

/** A plugin's message is truncated to 50,000 code points, followed by the number of missing ones. */
const MESSAGE_MAX = 50_050;
/** Large, because the service does not limit what an operator registers for a plugin. */
export const JSON_TEXT_MAX = 16 * 1024 * 1024;
/** `PUBLIC_URL` or the host, plus the re-encoded path and query of the request. */
const ADDRESS_MAX = 64 * 1024;

export const responseText = (max: number): z.ZodString =>
  z.string().meta({ maxLength: max, pattern: STORABLE });

export const responseMessage = responseText(MESSAGE_MAX);

export const responseJson = z.string().meta({ maxLength: JSON_TEXT_MAX, pattern: String.raw`^\{[\s\S]*\}$` });

export const address = z.url().meta({ maxLength: ADDRESS_MAX });

export const uuid = z.guid().meta({ maxLength: 36 });
