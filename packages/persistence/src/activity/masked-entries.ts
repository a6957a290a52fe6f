import type { ActivityEntry, Page } from '@plugin-config/domain';
import type { Configurations, Masker, Owner, StoredChanges } from '../configuration/configurations.ts';
import { ActivityRow } from '../entities/config-record.row.ts';
import { columns } from '../postgres/columns.ts';
import type { Listed } from '../postgres/read-page.ts';
import { rowOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';
import { OWNER } from '../record/record-columns.ts';

/** An activity entry with encrypted configuration values. */
type StoredEntry = Omit<ActivityEntry, 'changes'> & StoredChanges;

const ROW = rowOf(ActivityRow, 'a', ['recordId', 'changesBytes']);

/** The columns of an activity entry `a`. */
const ENTRY = columns((row): StoredEntry => {
  const { createdAt: at, more, applyId, ...entry } = withActor(row.all(ROW));
  return { ...entry, at, ...(more > 0 && { more }), ...(applyId !== null && { applyId }) };
});

interface OwnedEntry {
  readonly entry: StoredEntry;
  readonly owner: Owner;
}

const OWNED = columns((row): OwnedEntry => ({ entry: row.all(ENTRY), owner: row.all(OWNER) }));

/** The columns of a page of entries `a` of the records `r`. */
export const listedEntries = (count: string): Listed<OwnedEntry> =>
  columns((row) => ({ item: row.allOrNull(OWNED), count: row.number(count) }));

export async function maskEntries<T>(
  connection: Parameters<Configurations['masker']>[0],
  configurations: Configurations,
  { count, items }: Page<OwnedEntry>,
  shown: (entry: ActivityEntry, owner: Owner) => T,
): Promise<Page<T>> {
  const masker = await configurations.masker(
    connection,
    items.map(({ owner }) => owner),
  );
  return { count, items: items.map(({ entry, owner }) => shown(maskEntry(masker, owner, entry), owner)) };
}

function maskEntry(masker: Masker, owner: Owner, stored: StoredEntry): ActivityEntry {
  const { configChanges: _, ...entry } = stored;
  return { ...entry, changes: masker.changes(owner, stored) };
}
