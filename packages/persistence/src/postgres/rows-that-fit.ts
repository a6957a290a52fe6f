import { PAGE_MAX_BYTES } from '@plugin-config/domain';

interface Rows {
  /** A table or a subselect in this order. */
  readonly from: string;
  readonly order: string;
  /** The SQL of the size of a row. The size of a `text` is known without reading it, that of a `json` is not. */
  readonly bytes: string;
  readonly maxBytes?: string;
}

/** The SQL of the first rows `p` up to a number of bytes; at least one row. */
export function rowsThatFit({ from, order, bytes, maxBytes = String(PAGE_MAX_BYTES) }: Rows): string {
  return `(
    select * from (
      select p.*, row_number() over w as number, sum(${bytes}) over w as bytes
      from ${from} p
      window w as (order by ${order} rows unbounded preceding)
    ) p where p.number = 1 or p.bytes <= ${maxBytes}
  )`;
}
