import { CONFIG_FIELD } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';

const MASK_PORTION: Statement = {
  name: 'mask_history_portion',
  text: 'select mask_history_portion($1, $2)',
};

/** Runs the statement of a portion, for example within a limit. */
type RunPortion = (work: () => Promise<readonly Cells[]>) => Promise<readonly Cells[]>;

/** Masks configuration fields in the whole history of the records, in portions. Locks no family. */
export async function maskHistory(
  pool: pg.Pool,
  records: readonly number[],
  keys: Iterable<string>,
  runPortion: RunPortion = (work) => work(),
): Promise<void> {
  const fields = [...keys].map((key) => JSON.stringify(CONFIG_FIELD + key));
  if (fields.length === 0) return;
  for (let left = records; left.length > 0;) {
    const [row = []] = await runPortion(() => run(pool, MASK_PORTION, [left, fields]));
    left = left.slice(numberAt(row, 0));
  }
}
