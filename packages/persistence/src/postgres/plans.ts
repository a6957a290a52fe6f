/**
 * Settings for plans that suit tables of any size: index lookups row by row. Each connection plans a statement once,
 * when its tables may still be nearly empty.
 */
export const ROW_BY_ROW = ['hashjoin', 'mergejoin', 'material']
  .map((method) => `set local enable_${method} = off`)
  .join('; ');
/** Settings for plans that read in index order and never sort. */
export const IN_INDEX_ORDER = 'set local enable_bitmapscan = off; set local enable_sort = off';
