/**
 * Statements are planned once on each connection, at a time when their tables may be nearly empty. These are the plans
 * that suit tables of any size: looked up by index, row by row.
 */
export const ROW_BY_ROW = ['hashjoin', 'mergejoin', 'material']
  .map((way) => `set local enable_${way} = off`)
  .join('; ');
/** Nor is what comes in the order of an index ever sorted. */
export const IN_INDEX_ORDER = 'set local enable_bitmapscan = off; set local enable_sort = off';
