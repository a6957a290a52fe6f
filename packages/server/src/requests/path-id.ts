import type { ProjectRef } from '@plugin-config/domain';

const ID = /^0*[1-9]\d*$/;

/** Parses an id; null if the text cannot be one. */
export function pathId(text: string): number | null {
  if (!ID.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}

export function projectRef(text: string): ProjectRef | null {
  return text === '@current' ? 'current' : pathId(text);
}
