/** A list of names of the code in SQL. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
