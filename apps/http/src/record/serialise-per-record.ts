import { tooManyChanges, type ConfigRecord, type Patience } from '@plugin-config/domain';

type Versioned = Pick<ConfigRecord, 'id' | 'version'>;

/** Runs changes of the same record one after the other, in order of arrival. */
export type SerialisePerRecord<R extends Versioned = ConfigRecord> = (
  /** The record as it was read before. */
  known: R,
  patience: Patience,
  /** Begins with the result of the change before, if that is newer than what is known. */
  change: (latest: R) => Promise<R>,
) => Promise<R>;

/**
 * Serialises the changes of one record in this process, so that only changes of other processes can lose the store's
 * compare-and-swap. Refuses a change whose patience has run out while it waited.
 */
export function serialisePerRecord<R extends Versioned>(): SerialisePerRecord<R> {
  const latest = new Map<number, Promise<R>>();
  return async (known, patience, change) => {
    const before = latest.get(known.id);
    const own = before === undefined ? change(known) : after(before, { known, patience, change });
    latest.set(known.id, own);
    try {
      return await own;
    } finally {
      if (latest.get(known.id) === own) latest.delete(known.id);
    }
  };
}

interface Waiting<R> {
  readonly known: R;
  readonly patience: Patience;
  readonly change: (latest: R) => Promise<R>;
}

async function after<R extends Versioned>(
  before: Promise<R>,
  { known, patience, change }: Waiting<R>,
): Promise<R> {
  const result = await before.catch(() => known);
  if (patience.left() <= 0) throw tooManyChanges({ retryAfterSeconds: 2 });
  return change(result.version > known.version ? result : known);
}
