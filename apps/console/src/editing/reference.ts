import type { Json } from '@plugin-config/client';
import { isSecretSet } from '../record/plugin-info.ts';

/** The URI of a value that says where a runtime finds a secret; undefined for any other value. */
export function referenceOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [[key, uri] = [], ...others] = Object.entries(value);
  return key === '$ref' && typeof uri === 'string' && others.length === 0 ? uri : undefined;
}

/** The URI of a reference that was typed as JSON. */
export function referenceIn(text: string): string | undefined {
  try {
    return referenceOf(JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

export const referenceText = (uri: string): string => JSON.stringify({ $ref: uri });

/** What may be shown of a secret: whether it is set, and a reference as it is. */
export function secretText(stored: Json | undefined): string {
  const uri = referenceOf(stored);
  if (uri !== undefined) return `Reference ${uri}`;
  return isSecretSet(stored) ? 'Set' : 'Not set';
}
