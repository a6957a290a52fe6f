import { DomainError, invalidInput } from './domain-error.ts';

/** Returns the length in code points, as the database counts it. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      length--;
      i++;
    }
  }
  return length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Whether the database can store the text: it accepts neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function checkStorable(text: string, attr: string): void {
  if (!isStorable(text)) {
    throw invalidInput(attr, 'Null characters and lone surrogates are not allowed.');
  }
}

export function checkText(
  text: string,
  { attr, max }: { readonly attr: string; readonly max: number },
): void {
  checkStorable(text, attr);
  if (text.length > max && codePoints(text) > max) {
    throw new DomainError('max_length', `Ensure this field has no more than ${max} characters.`, { attr });
  }
}

/** Control characters, line breaks and text direction marks, which can make a label look like another one. */
const DECEPTIVE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Like `checkText`, but also rejects characters that make a label look like another one. */
export function checkLabel(text: string, options: { readonly attr: string; readonly max: number }): void {
  checkText(text, options);
  if (DECEPTIVE.test(text)) {
    const message = 'Control characters and text direction marks are not allowed.';
    throw invalidInput(options.attr, message);
  }
}

/** Whether `checkLabel` accepts the text. */
export function isLabel(text: string, max: number): boolean {
  return isStorable(text) && codePoints(text) <= max && !DECEPTIVE.test(text);
}

export function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    length += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate(unit) ? 2 : 3;
  }
  return length;
}

/** A surrogate pair takes four bytes in UTF-8, two per half. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/** Compares two texts in time that depends only on their lengths. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) {
    // NaN past the end of the other text, which counts as 0: the lengths differ anyway.
    difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  }
  return difference === 0;
}
