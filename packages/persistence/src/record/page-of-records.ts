import { INFO_THAT_FITS, recordsThatFit } from './record-columns.ts';

interface Page {
  /** The columns to select from the family `f`, the total `t`, the record `r` and its plugin `i`. */
  readonly columns: string;
  /** The matching records `r` of the family. `$1` is the project, `$2` the family. */
  readonly matching: string;
  /** The columns of a record that sort the page. */
  readonly order: readonly string[];
  readonly limit: string;
  readonly offset: string;
}

/** SQL for a page of a family's records up to the byte limit, and the number of all matches. */
export function pageOfRecords({ columns, matching, order, limit, offset }: Page): string {
  const by = (table: string): string => order.map((column) => `${table}.${column}`).join(', ');
  return `select ${columns}
  from config_family f
  cross join (select count(*) from ${matching}) t
  left join ${recordsThatFit({
    records: `(select * from ${matching} order by ${by('r')} limit ${limit} offset ${offset}) r`,
    order: by('p'),
  })} r on true
  left join ${INFO_THAT_FITS} on true
  where f.project_id = $1 and f.family = $2
  order by ${by('r')}`;
}

/** The values of a page for a missing family. */
export const NO_FAMILY = { familyVersion: 0, registryVersion: 0, listVersion: 0, count: 0, isVoid: false };
