import type { InferEntity } from '@mikro-orm/core';
import { dateAt, flagAt, numberAt, numbersAt, textAt, textsAt, type Columns } from './columns.ts';
import type { Cells, Parameter } from './statement.ts';

// The entity of a table is the only list of its columns. Select lists, readers, inserts and updates follow from it (ADR 9).

interface Entity {
  readonly meta: { readonly properties: object };
}

/** The type of a value when read. Bytes are read as text, so ciphertexts are not copied. */
type Read<T> = T extends Uint8Array ? string : T extends readonly (infer Element)[] ? readonly Element[] : T;

/** A row of a table, by the properties of its entity. */
export type RowOf<E> = { readonly [K in keyof InferEntity<E> & string]: Read<InferEntity<E>[K]> };

interface Column {
  readonly property: string;
  readonly name: string;
  readonly type: string;
  readonly read: (cells: Cells, at: number) => unknown;
  /** A cell from which a value of this type can be read. */
  readonly emptyCell: string | null;
  readonly isJson: boolean;
}

/** How types of MikroORM or PostgreSQL are read, an empty cell, and the SQL type unless the property has another one. */
const TYPES: Readonly<Record<string, readonly [Column['read'], string, string]>> = {
  'bigint[]': [numbersAt, '{}', 'bigint[]'],
  'integer[]': [numbersAt, '{}', 'integer[]'],
  ArrayType: [textsAt, '{}', 'text[]'],
  BigIntType: [numberAt, '0', 'bigint'],
  BlobType: [textAt, '', 'bytea'],
  BooleanType: [flagAt, 'f', 'boolean'],
  DateTimeType: [dateAt, '1970-01-01 00:00:00+00', 'timestamptz'],
  DateType: [textAt, '', 'date'],
  DoubleType: [numberAt, '0', 'double precision'],
  IntegerType: [numberAt, '0', 'integer'],
  JsonType: [jsonAt, '{}', 'json'],
  TextType: [textAt, '', 'text'],
  UuidType: [textAt, '', 'uuid'],
};

interface Property {
  readonly type?: { readonly name?: string };
  readonly nullable?: boolean;
  readonly fieldName?: string;
  readonly columnType?: string;
  /** A foreign key whose value is the id of the other row. */
  readonly mapToPk?: boolean;
  readonly joinColumn?: string;
}

/** Returns the columns of an entity. A foreign key needs `mapToPk`, since other relations are objects. */
function columnsOf(entity: Entity, except: readonly string[]): readonly Column[] {
  return Object.entries(entity.meta.properties as Readonly<Record<string, Property>>)
    .filter(([property]) => !except.includes(property))
    .map(([property, { type, nullable, fieldName, columnType, mapToPk, joinColumn }]) => {
      const typeName = mapToPk ? 'BigIntType' : (type?.name ?? type?.constructor.name ?? '');
      const [read, emptyCell, sqlType] = TYPES[columnType ?? ''] ?? TYPES[typeName] ?? [];
      if (read === undefined || emptyCell === undefined || sqlType === undefined) {
        throw new Error(`The column ${property} has a type that cannot be read.`);
      }
      return {
        property,
        name:
          joinColumn ?? fieldName ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        type: columnType ?? sqlType,
        read: nullable ? (cells, at) => (cells[at] === null ? null : read(cells, at)) : read,
        emptyCell: nullable ? null : emptyCell,
        isJson: read === jsonAt,
      };
    });
}

/** Returns the columns of a table with this alias, except some, and the reader of its rows. */
export function rowOf<E extends Entity, X extends keyof RowOf<E> = never>(
  entity: E,
  alias: string,
  except: readonly X[] = [],
): Columns<Omit<RowOf<E>, X>> {
  return readerOf(columnsOf(entity, except), alias);
}

/** Returns only these columns of a table with this alias. */
export function fieldsOf<E extends Entity, P extends keyof RowOf<E>>(
  entity: E,
  alias: string,
  properties: readonly P[],
): Columns<Pick<RowOf<E>, P>> {
  const wanted: readonly string[] = properties;
  const columns = columnsOf(entity, []).filter(({ property }) => wanted.includes(property));
  return readerOf(columns, alias);
}

function readerOf<T>(columns: readonly Column[], alias: string): Columns<T> {
  const names = columns.map(({ name }) => `${alias}.${name}`);
  const readRow = compiled<T>(columns);
  const empty = readRow(
    columns.map(({ emptyCell }) => emptyCell),
    0,
  );
  return {
    names,
    sql: names.join(', '),
    reader: (row) => row.cellsOf(names, readRow, empty),
    read: (cells, from = 0) => readRow(cells, from),
    readOrNull: (cells, from = 0) => (cells[from] === null ? null : readRow(cells, from)),
  };
}

type ReadRow<T> = (cells: Cells, from: number) => T;

/**
 * Compiles a reader that creates each row with one object literal, which takes half as long as adding the properties in a loop.
 * Its source consists of names from the entity.
 */
function compiled<T>(columns: readonly Column[]): ReadRow<T> {
  const properties = columns.map(({ property }, i) => `${property}: read[${i}](cells, from + ${i})`);
  const source = `return (cells, from) => ({ ${properties.join(', ')} })`;
  // oxlint-disable-next-line typescript/no-implied-eval
  const create = new Function('read', source) as (read: readonly Column['read'][]) => ReadRow<T>;
  return create(columns.map(({ read }) => read));
}

/** A row to be written. Undefined means null. */
export type Writable<Row> = {
  readonly [K in keyof Row]: null extends Row[K] ? Row[K] | undefined : Row[K];
};

/** Columns that statements write. */
export interface Written<Row> {
  /** `a, b` */
  readonly names: string;
  /** The names with their types, for rows that are sent as JSON. */
  readonly types: Readonly<Record<string, string>>;
  /** `$3, $4` */
  parameters(first: number): string;
  /** `a = $3, b = $4` */
  assignments(first: number): string;
  values(row: Writable<Row>): readonly Parameter[];
  /** The values by the names of the columns, for rows that are sent as JSON. */
  named(row: Writable<Row>): Readonly<Record<string, unknown>>;
  /** `unnest($3::bigint[], $4::text[])` */
  unnest(first: number): string;
  /** The values of rows for `unnest`, column by column. */
  arrays(rows: readonly Writable<Row>[]): readonly Parameter[];
}

/** Returns the columns of a table, except some, for statements that write them. */
export function writtenOf<E extends Entity, X extends keyof RowOf<E> = never>(
  entity: E,
  except: readonly X[] = [],
): Written<Omit<RowOf<E>, X>> {
  const columns = columnsOf(entity, except);
  const names = columns.map(({ name }) => name);
  return {
    names: names.join(', '),
    types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    parameters: (first) => names.map((_, i) => `$${first + i}`).join(', '),
    assignments: (first) => names.map((name, i) => `${name} = $${first + i}`).join(', '),
    values: (row) => columns.map((column) => valueIn(row, column)),
    named: (row) => Object.fromEntries(columns.map((column) => [column.name, unknownIn(row, column)])),
    unnest: (first) => `unnest(${columns.map(({ type }, i) => `$${first + i}::${type}[]`).join(', ')})`,
    arrays: (rows) => columns.map((column) => rows.map((row) => valueIn(row, column) as string)),
  };
}

function unknownIn(row: object, { property }: Column): unknown {
  return (row as Readonly<Record<string, unknown>>)[property] ?? null;
}

function valueIn(row: object, column: Column): Parameter {
  const value = unknownIn(row, column);
  if (column.isJson && value !== null) return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : (value as Parameter);
}

function jsonAt(cells: Cells, at: number): unknown {
  return JSON.parse(textAt(cells, at));
}
