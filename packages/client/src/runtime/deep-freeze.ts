/** Freezes a JSON value, so listeners cannot change it for each other. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(Object.freeze(value))) deepFreeze(part);
  return value;
}
