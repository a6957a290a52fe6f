import { codePoints, isStorable } from '../kernel/text.ts';

export const MESSAGE_MAX = 50_000;

/**
 * Makes a text storable: replaces characters that a database cannot store, and truncates a long text with the number
 * of missing characters.
 */
export function storableText(text: string, max = MESSAGE_MAX): string {
  const whole = isStorable(text) ? text : replaceUnstorable(text);
  return whole.length > max ? cut(whole, max) : whole;
}

export function replaceUnstorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function cut(text: string, max: number): string {
  const missing = codePoints(text) - max;
  if (missing <= 0) return text;
  return `${text.slice(0, indexAfter(text, max))}… [${missing} more characters]`;
}

function indexAfter(text: string, count: number): number {
  let at = 0;
  for (let seen = 0; seen < count; seen++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
