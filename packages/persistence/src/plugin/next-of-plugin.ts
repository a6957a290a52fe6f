import { rowsThatFit } from '../postgres/rows-that-fit.ts';

interface Chunk {
  /** SQL for which records `c` are read. */
  readonly where: string;
  /** The number of records that are in memory at a time, and the size of their configurations. */
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/** SQL for the next records `r` of the plugin $1, after the record $2, $3, $4 in the order of projects, families and ids. */
export function nextOfPlugin({ where, maxRecords, maxBytes }: Chunk): string {
  return `${rowsThatFit({
    from: `(
      select * from config_record c
      where c.plugin = $1 and (c.project_id, c.family, c.id) > ($2, $3, $4) and ${where}
      order by c.project_id, c.family, c.id limit ${maxRecords}
    )`,
    order: 'p.project_id, p.family, p.id',
    bytes: 'coalesce(octet_length(p.config), 0)',
    maxBytes: String(maxBytes),
  })} r`;
}
