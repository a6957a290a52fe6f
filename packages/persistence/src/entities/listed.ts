/** Returns names as an SQL list. They must not contain quotes. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
