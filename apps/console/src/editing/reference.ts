import type { Json } from '@plugin-config/client';
import { isSecretSet } from '../record/plugin-info.ts';

/** Returns the URI if the value is a secret reference. */
export function referenceOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [[key, uri] = [], ...others] = Object.entries(value);
  return key === '$ref' && typeof uri === 'string' && others.length === 0 ? uri : undefined;
}

/** Returns the URI if the text is the JSON of a reference. */
export function referenceIn(text: string): string | undefined {
  try {
    return referenceOf(JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

export const referenceText = (uri: string): string => JSON.stringify({ $ref: uri });

/** Describes a secret: set, not set, or its reference. */
export function secretText(stored: Json | undefined): string {
  const uri = referenceOf(stored);
  if (uri !== undefined) return `Reference ${uri}`;
  return isSecretSet(stored) ? 'Set' : 'Not set';
}
