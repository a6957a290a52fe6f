import type { Author } from '../activity/activity-entry.ts';
import { describeChange } from '../activity/describe-change.ts';
import { DomainError } from '../domain-error.ts';
import type { Precondition } from '../precondition.ts';
import { conceal, type SealedSecrets } from './configuration.ts';
import type { ConfigRecordStore } from './config-record-store.ts';
import { changeRecord, type ConfigRecord, type RecordChange } from './config-record.ts';
import type { SecretBox } from './secret-box.ts';
import { recordNotFound, storeChange } from './store-change.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly secretBox: SecretBox;
  readonly requireRegistered: boolean;
}

interface Order {
  /** As the request found it. */
  readonly known: ConfigRecord;
  readonly precondition: Precondition;
  readonly change: RecordChange;
  readonly author: Author;
}

export async function updateRecord(
  dependencies: Dependencies,
  { known, precondition, change, author }: Order,
): Promise<ConfigRecord> {
  return storeChange(dependencies, known, precondition, async (before) => {
    const after = changeRecord(before, change, author.at);
    if (after === before) return null;
    const activity = describeChange(before, after, author);
    if (after.plugin === before.plugin) return { after, activity };
    return { activity, ...(await attachOtherPlugin(dependencies, after)) };
  });
}

export function deleteRecord(dependencies: Dependencies, order: Omit<Order, 'change'>): Promise<ConfigRecord> {
  return updateRecord(dependencies, { ...order, change: { deleted: true } });
}

/** What the other plugin calls secret is sealed before it can be told as that plugin's. */
async function attachOtherPlugin(
  { records, secretBox, requireRegistered }: Dependencies,
  after: ConfigRecord,
): Promise<{ readonly after: ConfigRecord; readonly secrets: SealedSecrets }> {
  const stored = await records.configuration(after, after.plugin);
  if (stored === null) throw recordNotFound();
  if (requireRegistered && stored.plugin === null) throw unregistered(after.plugin);
  const schema = stored.plugin?.configSchema ?? [];
  const { config, secrets } = conceal({ config: stored.record.config, secrets: stored.secrets }, schema, secretBox);
  return { after: { ...after, config }, secrets };
}

export function unregistered(plugin: number): DomainError {
  return new DomainError('does_not_exist', `No plugin ${plugin} is registered.`, { attr: 'plugin' });
}
