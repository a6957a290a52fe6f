import { invalidInput } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';

const REFERENCE = '$ref';
/** A URI with an authority but no user or password. */
const URI = /^[a-z][a-z\d+.-]*:\/\/[^\s@/?#\\]+(?:[/?#][!-[\]-~]*)?$/;
const MAX_CHARACTERS = 1024;

/**
 * Whether a value has the form of a reference to a secret kept elsewhere, such as `{"$ref": "vault://path"}`. The
 * reference itself is not secret.
 */
export function isReference(value: Json): boolean {
  if (!namesReference(value) || Object.keys(value).length !== 1) return false;
  const { [REFERENCE]: uri } = value;
  return typeof uri === 'string' && uri.length <= MAX_CHARACTERS && URI.test(uri);
}

/** Rejects a value that looks like a reference but is not a valid one. */
export function checkReference(key: string, value: Json): void {
  if (!namesReference(value) || isReference(value)) return;
  const message = `A reference is { "$ref": "<URI>" } without other keys. The URI, such as env://NAME, has at most ${MAX_CHARACTERS} ASCII characters and no user or password.`;
  throw invalidInput(key, message);
}

function namesReference(value: Json): value is { readonly [REFERENCE]: Json } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, REFERENCE);
}
