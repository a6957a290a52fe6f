import { DAY_MS } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { partOf, prefixWithin, SPLIT_AT, type Block, type BlockIncrement } from './log-block.ts';
import { splitBlock } from './split-block.ts';

const LARGE = columns((row) => ({
  day: DAY_MS * row.number(`r.day - date 'epoch'`),
  recordId: row.number('r.record_id'),
  prefix: row.text('r.prefix'),
  total: row.number('r.total'),
  split: row.flag('r.split'),
}));

/** Adds to the counters of blocks. Returns the blocks that are split, and those that are large enough to be. */
const RAISE_BLOCKS: Statement = {
  name: 'raise_log_blocks',
  text: `with raised as (
    insert into log_block as b (day, record_id, depth, prefix, total, counts)
    select t.day, t.record_id, length(t.prefix), t.prefix, t.total, t.counts::bigint[]
    from unnest($1::date[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) t (day, record_id, prefix, total, counts)
    on conflict (record_id, depth, prefix, day) do update set
      total = b.total + excluded.total,
      counts = (
        select array_agg(coalesce(u.old, 0) + coalesce(u.new, 0) order by u.number)
        from unnest(b.counts, excluded.counts) with ordinality u (old, new, number)
      )
    returning b.day, b.record_id, b.prefix, b.total, b.split
  )
  select ${LARGE.sql} from raised r where r.split or r.total >= ${SPLIT_AT}`,
};

const MARK_SPLIT: Statement = {
  name: 'mark_log_blocks_split',
  text: `update log_block b set split = true
  from unnest($1::date[], $2::bigint[], $3::text[]) t (day, record_id, prefix)
  where b.day = t.day and b.record_id = t.record_id and b.depth = length(t.prefix) and b.prefix = t.prefix`,
};

/**
 * To split a block, all its entries are counted, and the batch takes that much longer. So a batch splits only some of the
 * large blocks (a thousand logs may grow large at once), and later batches split the others. In the long run, a thousand
 * rows bring about one split: later batches keep up.
 */
const ROWS_PER_SPLIT = 256;
const SPLITS_MIN = 8;

/**
 * Adds the inserted rows to the counters of their blocks: first those of whole days, then those of the blocks within them,
 * level by level. The batch has locked the counter of each (record, day) until it commits, so no other batch changes the
 * blocks within.
 */
export async function incrementBlocks(client: pg.ClientBase, rows: readonly EntryRow[]): Promise<void> {
  const splits = { left: Math.max(SPLITS_MIN, Math.ceil(rows.length / ROWS_PER_SPLIT)) };
  let level = wholeDays(rows);
  while (level.length > 0) level = await incrementLevel(client, rows, level, splits);
}

/** Adds to the blocks of one level. Returns the increments of the next level. */
async function incrementLevel(
  client: pg.ClientBase,
  rows: readonly EntryRow[],
  level: readonly BlockIncrement[],
  splits: { left: number },
): Promise<readonly BlockIncrement[]> {
  const raised = await raise(client, level);
  const below: BlockIncrement[] = [];
  const large: { readonly block: BlockIncrement; readonly total: number }[] = [];
  for (const block of level) {
    const state = raised.get(blockName(block));
    if (state?.split === true) below.push(...within(rows, block));
    else if (state !== undefined) large.push({ block, total: state.total });
  }
  const grown = largestOf(large, Math.ceil(splits.left / 2));
  splits.left -= grown.length;
  if (grown.length === 0) return below;
  await run(client, MARK_SPLIT, blockParameters(grown));
  for (const block of grown) below.push(...(await splitBlock(client, block)));
  return below;
}

/** The largest blocks. A level splits at most half of what is left, so that blocks of deeper levels do not wait for ever. */
function largestOf(
  large: readonly { readonly block: BlockIncrement; readonly total: number }[],
  most: number,
): readonly BlockIncrement[] {
  return large
    .toSorted((a, b) => b.total - a.total)
    .slice(0, most)
    .map(({ block }) => block);
}

/** Adds to the blocks. Returns those that are split or large, by name, since PostgreSQL returns them in any order. */
async function raise(
  client: pg.ClientBase,
  level: readonly BlockIncrement[],
): Promise<ReadonlyMap<string, { readonly total: number; readonly split: boolean }>> {
  const rows = await run(client, RAISE_BLOCKS, [
    ...blockParameters(level),
    level.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)),
    level.map(({ counts }) => `{${counts.join(',')}}`),
  ]);
  return new Map(rows.map((row) => LARGE.read(row)).map((block) => [blockName(block), block]));
}

function blockName({ day, recordId, prefix }: Block): string {
  return `${day} ${recordId} ${prefix}`;
}

function blockParameters(blocks: readonly Block[]): readonly (readonly (string | number)[])[] {
  return [
    blocks.map(({ day }) => new Date(day).toISOString()),
    blocks.map(({ recordId }) => recordId),
    blocks.map(({ prefix }) => prefix),
  ];
}

function wholeDays(rows: readonly EntryRow[]): readonly BlockIncrement[] {
  const increments: BlockIncrement[] = [];
  let from = 0;
  for (let to = 1; to <= rows.length; to++) {
    const [first, next] = [rows[from], rows[to]];
    if (first === undefined || (next !== undefined && isSameDay(first, next))) continue;
    const { day, recordId } = first;
    increments.push({ day, recordId, prefix: '', from, to, counts: countsOf(rows, from, to) });
    from = to;
  }
  return increments;
}

function within(
  rows: readonly EntryRow[],
  { day, recordId, prefix, from: start, to: end }: BlockIncrement,
): readonly BlockIncrement[] {
  const increments: BlockIncrement[] = [];
  const partAt = (at: number): number | undefined => {
    const row = at < end ? rows[at] : undefined;
    return row && partOf(row, prefix);
  };
  let from = start;
  for (let to = start + 1; to <= end; to++) {
    const part = partAt(from);
    if (part === undefined || part === partAt(to)) continue;
    const counts = countsOf(rows, from, to);
    increments.push({ day, recordId, prefix: prefixWithin(prefix, part), from, to, counts });
    from = to;
  }
  return increments;
}

function countsOf(rows: readonly EntryRow[], from: number, to: number): readonly number[] {
  const counts: number[] = [];
  for (let at = from; at < to; at++) {
    const kind = rows[at]?.kind ?? 0;
    while (counts.length <= kind) counts.push(0);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function isSameDay(a: EntryRow, b: EntryRow): boolean {
  return a.recordId === b.recordId && a.day === b.day;
}
