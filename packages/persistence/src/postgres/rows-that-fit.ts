import { PAGE_MAX_BYTES } from '@plugin-config/domain';

interface Rows {
  /** A table or a subselect in this order. */
  readonly from: string;
  readonly order: string;
  /** SQL for the size of a row. PostgreSQL knows the size of a `text` without reading it, but not that of a `json`. */
  readonly bytes: string;
  readonly maxBytes?: string | undefined;
}

/** SQL for the first rows `p` up to a number of bytes, but at least one row. */
export function rowsThatFit({ from, order, bytes, maxBytes = String(PAGE_MAX_BYTES) }: Rows): string {
  return `(
    select * from (
      select p.*, row_number() over w as place, sum(${bytes}) over w as bytes
      from ${from} p
      window w as (order by ${order} rows unbounded preceding)
    ) p where p.place = 1 or p.bytes <= ${maxBytes}
  )`;
}
