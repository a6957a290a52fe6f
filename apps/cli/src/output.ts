import { fstatSync, writeFileSync } from 'node:fs';
import { table, type Columns } from './table.ts';

const STDOUT = 1;

/** Writes data to standard output; messages go to standard error. */
export function print(text: string | number): void {
  const line = `${text}\n`;
  // If the disk is full, `process.stdout` truncates what it writes to a file without reporting an error.
  if (fstatSync(STDOUT).isFile()) writeFileSync(STDOUT, line);
  else process.stdout.write(line);
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
  /** Printed instead of an empty table. */
  readonly none: string;
}

/** Prints a JSON array or an aligned table. */
export function printList<T>(items: readonly T[], { json, present, columns, none }: Listing<T>): void {
  if (json === true) return printJson(items.map(present));
  if (items.length === 0) return inform(none);
  print(table(items, columns));
}
