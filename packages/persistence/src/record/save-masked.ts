import { PATIENCE_MS, ranOutOfPatience, type ConfigRecord, type RecordWrite } from '@plugin-config/domain';
import { patience } from '@plugin-config/flow';
import type { Database } from '../postgres/database.ts';
import { maskHistory } from '../activity/mask-history.ts';

/** The SQLSTATE with which the database refuses to seal a value that a long history still contains. */
export const HISTORY_IS_LONG = 'PC001';

type Save = (write: RecordWrite) => Promise<ConfigRecord | null>;

/**
 * Saves a write. If it seals a value in a long history, masks the history first without a lock on the family. Entries
 * that are masked when the patience runs out stay masked for the next request.
 */
export function saveMasked({ pool, limitSlow }: Pick<Database, 'pool' | 'limitSlow'>, save: Save): Save {
  const mask = ({ before, secrets }: RecordWrite, { left }: { left(): number }): Promise<void> =>
    maskHistory(pool, [before.id], secrets?.keys() ?? [], async (work) => {
      if (left() <= 0) throw ranOutOfPatience();
      return limitSlow(before.projectId, work, { left });
    });
  return async (write) => {
    const limit = write.patience ?? patience(PATIENCE_MS, () => performance.now());
    for (;;) {
      try {
        return await save({ ...write, patience: limit });
      } catch (error) {
        if (!isOfLongHistory(error)) throw error;
        await mask(write, limit);
      }
    }
  };
}

function isOfLongHistory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === HISTORY_IS_LONG;
}
