import { invalidInput } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';

const REFERENCE = '$ref';
/** An absolute URI of printable ASCII characters, such as `env://NAME` or `urn:vault:token`, without user or password. */
const URI = /^(?=[!-[\]-~]*$)[a-z][a-z\d+.-]*:\/*(?!\/)[^@/?#]+(?:[/?#].*)?$/i;
const MAX_CHARACTERS = 1024;

/**
 * Whether a value is a reference to a secret kept elsewhere, such as `{"$ref": "vault://path"}`. The reference itself
 * is not secret; any other value is.
 */
export function isReference(value: Json): boolean {
  const uri = uriIn(value);
  return uri !== null && uri.length <= MAX_CHARACTERS && URI.test(uri);
}

/** Rejects a value that has the form of a reference, but not its URI. */
export function checkReference(key: string, value: Json): void {
  if (uriIn(value) === null || isReference(value)) return;
  const message = `The "$ref" of a reference is an absolute URI, such as env://NAME, with at most ${MAX_CHARACTERS} ASCII characters and no user or password.`;
  throw invalidInput(key, message);
}

/** Returns the text of `{"$ref": text}`; null for values of another form. */
function uriIn(value: Json): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const [[name, uri] = [], ...others] = Object.entries(value);
  return name === REFERENCE && typeof uri === 'string' && others.length === 0 ? uri : null;
}
