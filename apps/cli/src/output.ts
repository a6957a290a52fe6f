import { table, type Columns } from './table.ts';

/** Data: what the command was asked for. */
export function print(text: string | number): void {
  process.stdout.write(`${text}\n`);
}

/** Everything else. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

interface Listing<T> {
  readonly json: boolean | undefined;
  readonly present: (item: T) => unknown;
  readonly columns: Columns<T>;
  /** Told instead of an empty table. */
  readonly none: string;
}

/** One array for machines, aligned columns for people. */
export function printList<T>(items: readonly T[], { json, present, columns, none }: Listing<T>): void {
  if (json === true) return printJson(items.map(present));
  if (items.length === 0) return tell(none);
  print(table(items, columns));
}
