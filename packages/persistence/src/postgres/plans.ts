/**
 * Settings for plans that fit tables of any size, with index lookups row by row. Each connection plans a statement only once,
 * when its tables may still be almost empty.
 */
export const ROW_BY_ROW = ['hashjoin', 'mergejoin', 'material']
  .map((method) => `set local enable_${method} = off`)
  .join('; ');

export const BEGIN_ROW_BY_ROW = `begin; ${ROW_BY_ROW}`;

/** Settings for plans that read in index order without sorting. */
export const IN_INDEX_ORDER = 'set local enable_bitmapscan = off; set local enable_sort = off';

/** Also where a table that was almost empty would be scanned whole, or sorted. */
export const BEGIN_BY_INDEX = `${BEGIN_ROW_BY_ROW}; set local enable_seqscan = off; ${IN_INDEX_ORDER}`;
