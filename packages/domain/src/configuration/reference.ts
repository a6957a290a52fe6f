import { DomainError } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';

const REFERENCE = '$ref';
/** A URI with an authority that has no user and no password. */
const URI = /^[a-z][a-z\d+.-]*:\/\/[^\s@/?#\\]+(?:[/?#][!-[\]-~]*)?$/;
const MAX_CHARACTERS = 1024;

/**
 * Whether a value refers to a secret that is kept elsewhere, as `{"$ref": "vault://path"}`. The form alone decides: such a value is
 * no secret itself.
 */
export function isReference(value: Json): boolean {
  if (!namesReference(value) || Object.keys(value).length !== 1) return false;
  const { [REFERENCE]: uri } = value;
  return typeof uri === 'string' && uri.length <= MAX_CHARACTERS && URI.test(uri);
}

/** Rejects a value that looks like a reference and is none. */
export function checkReference(key: string, value: Json): void {
  if (!namesReference(value) || isReference(value)) return;
  const message = `A reference is { "$ref": "<URI>" } and nothing else: at most ${MAX_CHARACTERS} ASCII characters, such as env://NAME, without a user or a password.`;
  throw new DomainError('invalid_input', message, { attr: key });
}

function namesReference(value: Json): value is { readonly [REFERENCE]: Json } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, REFERENCE);
}
