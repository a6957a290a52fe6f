import { table, type Columns } from './table.ts';

/** Writes data to standard output. */
export function print(text: string | number): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a message for the operator to standard error. */
export function inform(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

interface Listing<T> {
  readonly json: boolean | undefined;
  readonly present: (item: T) => unknown;
  readonly columns: Columns<T>;
  /** The message instead of an empty table. */
  readonly none: string;
}

/** Prints a JSON array or an aligned table. */
export function printList<T>(items: readonly T[], { json, present, columns, none }: Listing<T>): void {
  if (json === true) return printJson(items.map(present));
  if (items.length === 0) return inform(none);
  print(table(items, columns));
}
