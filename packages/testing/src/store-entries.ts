import type { AppendOutcomes, IngestionStores, LogEntry } from '@plugin-config/domain';

/** Stores entries in a batch, without the checks of messages. */
export function storeEntries(
  { stores }: { readonly stores: IngestionStores },
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  return stores.withBatch(async ({ log, sequence }) => {
    const outcomes = await log.append(entries);
    await sequence.add(entries, outcomes);
    return outcomes;
  });
}
