import type { Cells } from './statement.ts';
import { parseTimestamp } from './timestamp.ts';

// Read single values of a row. The statement guarantees that they exist.

export function textAt(cells: Cells, at: number): string {
  return cells[at] as string;
}

export function numberAt(cells: Cells, at: number): number {
  return Number(cells[at]);
}

export function flagAt(cells: Cells, at: number): boolean {
  return cells[at] === 't';
}

export function dateAt(cells: Cells, at: number): Date {
  return new Date(parseTimestamp(textAt(cells, at)));
}

const NO_NUMBERS = '{}';
const EMPTY: readonly number[] = [];

/** Reads an array of numbers; empty for null. */
export function numbersAt(cells: Cells, at: number): readonly number[] {
  const text = cells[at] ?? NO_NUMBERS;
  return text === NO_NUMBERS ? EMPTY : text.slice(1, -1).split(',').map(Number);
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|[^,]+/gs;
const ESCAPED = /\\(.)/gs;

/** Reads an array of texts without nulls. */
export function textsAt(cells: Cells, at: number): readonly string[] {
  const elements = textAt(cells, at).slice(1, -1).matchAll(ELEMENT);
  return [...elements].map(([element, quoted]) => quoted?.replace(ESCAPED, '$1') ?? element);
}

/**
 * Reads a row column by column, from left to right. Each call takes the SQL of its column. A reader must make the same calls for
 * every row, because they also define the select list: the `sql` of
 * `columns((row) => ({ id: row.number('r.id'), name: row.text('r.name') }))` is `r.id, r.name`.
 */
export type ColumnReader = Omit<CellReader, 'cells' | 'at' | 'isNull'>;

/** The select list of a statement and the reader of its rows. */
export interface Columns<T> {
  readonly names: readonly string[];
  readonly sql: string;
  readonly reader: (row: ColumnReader) => T;
  /** Reads the columns that start at the index `from` of a row. */
  read(cells: Cells, from?: number): T;
  /** Like `read`, but returns null if the first column is null. */
  readOrNull(cells: Cells, from?: number): T | null;
}

/** Derives the select list from the reader by calling it with an empty row, in which texts are empty and numbers are 0. */
export function columns<T>(reader: (row: ColumnReader) => T): Columns<T> {
  const names = namesIn(reader);
  const cellReader = new CellReader();
  const read = (cells: Cells, from = 0): T => {
    cellReader.cells = cells;
    cellReader.at = from;
    return reader(cellReader);
  };
  return {
    names,
    sql: names.join(', '),
    reader,
    read,
    readOrNull: (cells, from = 0) => (cells[from] === null ? null : read(cells, from)),
  };
}

/** Reads the cells of one row. A class, because it is as fast as an object literal with fixed indexes. */
class CellReader {
  cells: Cells = [];
  at = 0;

  text(_sql: string): string {
    return textAt(this.cells, this.at++);
  }

  textOrNull(sql: string): string | null {
    return this.isNull() ? null : this.text(sql);
  }

  number(_sql: string): number {
    return numberAt(this.cells, this.at++);
  }

  numberOrNull(sql: string): number | null {
    return this.isNull() ? null : this.number(sql);
  }

  flag(_sql: string): boolean {
    return flagAt(this.cells, this.at++);
  }

  date(_sql: string): Date {
    return dateAt(this.cells, this.at++);
  }

  dateOrNull(sql: string): Date | null {
    return this.isNull() ? null : this.date(sql);
  }

  numbers(_sql: string): readonly number[] {
    return numbersAt(this.cells, this.at++);
  }

  texts(_sql: string): readonly string[] {
    return textsAt(this.cells, this.at++);
  }

  json(sql: string): unknown {
    return JSON.parse(this.text(sql));
  }

  jsonOrNull(sql: string): unknown {
    return this.isNull() ? null : this.json(sql);
  }

  /** Reads several cells at once. `empty` only serves to find the names. */
  cellsOf<T>(sql: readonly string[], readAt: (cells: Cells, at: number) => T, _empty: T): T {
    const value = readAt(this.cells, this.at);
    this.at += sql.length;
    return value;
  }

  /** Reads all columns of another list. */
  all<T>({ reader }: Columns<T>): T {
    return reader(this);
  }

  /** Like `all`, but returns null if the first column is null. */
  allOrNull<T>({ names, reader }: Columns<T>): T | null {
    if (this.cells[this.at] !== null) return reader(this);
    this.at += names.length;
    return null;
  }

  isNull(): boolean {
    if (this.cells[this.at] !== null) return false;
    this.at++;
    return true;
  }
}

function namesIn(reader: (row: ColumnReader) => unknown): readonly string[] {
  const names: string[] = [];
  const named =
    <T>(value: T) =>
    (sql: string): T => {
      names.push(sql);
      return value;
    };
  const all = <T>(list: Columns<T>): T => list.reader(row);
  const row: ColumnReader = {
    text: named(''),
    textOrNull: named(null),
    number: named(0),
    numberOrNull: named(null),
    flag: named(false),
    date: named(new Date(0)),
    numbers: named(EMPTY),
    texts: named([]),
    dateOrNull: named(null),
    json: named({}),
    jsonOrNull: named(null),
    cellsOf: (sql, _read, empty) => {
      names.push(...sql);
      return empty;
    },
    all,
    allOrNull: all,
  };
  reader(row);
  return names;
}
