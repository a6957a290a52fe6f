/** Freezes a JSON value, so that no listener changes what others get. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(Object.freeze(value))) deepFreeze(part);
  return value;
}
