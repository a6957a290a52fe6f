import { codePoints } from '@plugin-config/domain';
import { fstatSync, writeFileSync } from 'node:fs';

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

/** How to read the fields of an item, by their names in JSON. */
export type Fields<T> = Readonly<Record<string, (item: T) => unknown>>;

interface Listing<T> {
  readonly json: boolean | undefined;
  readonly fields: Fields<T>;
  /** The fields that the table leaves out. */
  readonly onlyJson?: readonly string[];
  /** Printed instead of an empty table. */
  readonly none: string;
}

/** Prints a JSON array of the fields, or an aligned table. */
export function printList<T>(items: readonly T[], { json, fields, onlyJson = [], none }: Listing<T>): void {
  if (json === true) return printJson(items.map((item) => readFields(item, fields)));
  if (items.length === 0) return inform(none);
  print(
    table(items, Object.fromEntries(Object.entries(fields).filter(([name]) => !onlyJson.includes(name)))),
  );
}

export function readFields<T>(item: T, fields: Fields<T>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(item)]));
}

const GAP = '  ';
const CELL_MAX = 80;
/** Characters that can move the cursor of a terminal or reverse text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Formats items as a table with a column for each field. */
export function table<T>(items: readonly T[], fields: Fields<T>, { cellMax = CELL_MAX } = {}): string {
  const header = Object.keys(fields).map((name) => name.toUpperCase().replaceAll('_', ' '));
  const lines = [
    header,
    ...items.map((item) => Object.values(fields).map((read) => cell(read(item), cellMax))),
  ];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => codePoints(line[column] ?? ''))));
  const pad = (text: string, column: number): string =>
    text + ' '.repeat((widths[column] ?? 0) - codePoints(text));
  return lines.map((line) => line.map(pad).join(GAP).trimEnd()).join('\n');
}

function cell(value: unknown, max: number): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);
  const characters = Array.from(text.slice(0, 2 * max + 2));
  const isLong = characters.length > max;
  return printable(isLong ? `${characters.slice(0, max).join('')}…` : characters.join(''));
}

/** Escapes terminal control characters. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escapeSequence);
}

function escapeSequence(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
