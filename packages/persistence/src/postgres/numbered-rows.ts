type TypedColumns = Readonly<Record<string, string>>;

export type RowOf<Columns extends TypedColumns> = Readonly<Record<keyof Columns, unknown>>;

/** SQL for a table of the rows in a JSON array. Its last column `number` counts them from 1. */
export function numberedRows(json: string, columns: TypedColumns, alias: string): string {
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `rows from (
    json_to_recordset(${json}) as (${types.join(', ')})
  ) with ordinality as ${alias} (${Object.keys(columns).join(', ')}, number)`;
}
