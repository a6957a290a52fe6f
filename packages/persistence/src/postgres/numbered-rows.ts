/** The columns of rows with their types. */
type TypedColumns = Readonly<Record<string, string>>;

/** A row that has a value for each of these columns. */
export type RowOf<Columns extends TypedColumns> = Readonly<Record<keyof Columns, unknown>>;

/** The SQL of a table `alias` with the rows of a JSON array, and their numbers from 1 in its last column `number`. */
export function numberedRows(json: string, columns: TypedColumns, alias: string): string {
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `rows from (
    json_to_recordset(${json}) as (${types.join(', ')})
  ) with ordinality as ${alias} (${Object.keys(columns).join(', ')}, number)`;
}
