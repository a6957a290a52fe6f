import { parseTimestamp } from './parse-timestamp.ts';
import type { Cells } from './statement.ts';

/**
 * Reads a row column by column, from left to right. Each call names the SQL of its column. A reader must read all of its
 * columns whatever they hold: the same calls make the list of the statement.
 */
export interface Row {
  text(sql: string): string;
  textOrNull(sql: string): string | null;
  number(sql: string): number;
  numberOrNull(sql: string): number | null;
  flag(sql: string): boolean;
  date(sql: string): Date;
  dateOrNull(sql: string): Date | null;
  json(sql: string): unknown;
  jsonOrNull(sql: string): unknown;
  /** All columns of another list. */
  all<T>(columns: Columns<T>): T;
  /** The same, or null where the first of them is null. */
  allOrNull<T>(columns: Columns<T>): T | null;
}

/** What a statement selects, and how it is read: one list for both. */
export interface Columns<T> {
  readonly names: readonly string[];
  /** The list, as it stands in the statement. */
  readonly sql: string;
  readonly reader: (row: Row) => T;
  /** Reads the columns that begin at the place `from` of a row. */
  read(cells: Cells, from?: number): T;
  /** The same, or null where the first of them is null. */
  readOrNull(cells: Cells, from?: number): T | null;
}

/** Makes the list from the reader: it is run once on no row at all, where all texts are empty and all numbers are 0. */
export function columns<T>(reader: (row: Row) => T): Columns<T> {
  const names = namesIn(reader);
  const cursor = new Cursor();
  const read = (cells: Cells, from = 0): T => {
    cursor.cells = cells;
    cursor.at = from;
    return reader(cursor);
  };
  return {
    names,
    sql: names.join(', '),
    reader,
    read,
    readOrNull: (cells, from = 0) => (cells[from] === null ? null : read(cells, from)),
  };
}

/** Each column has its reader, called once for each row: as quick as an object literal with counted places. */
class Cursor implements Row {
  cells: Cells = [];
  at = 0;

  text(): string {
    return this.cells[this.at++] as string;
  }

  textOrNull(): string | null {
    return this.cells[this.at++] as string | null;
  }

  number(): number {
    return Number(this.cells[this.at++]);
  }

  numberOrNull(): number | null {
    const cell = this.textOrNull();
    return cell === null ? null : Number(cell);
  }

  flag(): boolean {
    return this.cells[this.at++] === 't';
  }

  date(): Date {
    return new Date(parseTimestamp(this.text()));
  }

  dateOrNull(): Date | null {
    const cell = this.textOrNull();
    return cell === null ? null : new Date(parseTimestamp(cell));
  }

  json(): unknown {
    return JSON.parse(this.text());
  }

  jsonOrNull(): unknown {
    const cell = this.textOrNull();
    return cell === null ? null : JSON.parse(cell);
  }

  all<T>({ reader }: Columns<T>): T {
    return reader(this);
  }

  allOrNull<T>({ names, reader }: Columns<T>): T | null {
    if (this.cells[this.at] !== null) return reader(this);
    this.at += names.length;
    return null;
  }
}

function namesIn(reader: (row: Row) => unknown): readonly string[] {
  const names: string[] = [];
  const named =
    <T>(value: T) =>
    (sql: string): T => {
      names.push(sql);
      return value;
    };
  const all = <T>(list: Columns<T>): T => list.reader(row);
  const row: Row = {
    text: named(''),
    textOrNull: named(null),
    number: named(0),
    numberOrNull: named(null),
    flag: named(false),
    date: named(new Date(0)),
    dateOrNull: named(null),
    json: named({}),
    jsonOrNull: named(null),
    all,
    allOrNull: all,
  };
  reader(row);
  return names;
}
