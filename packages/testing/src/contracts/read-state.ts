import type { ActivityEntry, ConfigRecord, FamilyRef, RecordFilter, RecordRef } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';

export const LIVE: RecordFilter = {
  deleted: false,
  enabled: null,
  plugin: null,
  valid: null,
  outdated: null,
  search: null,
};
export const WHOLE = { limit: 1000, offset: 0 };

/** Counters of a family: `familyVersion` counts all changes that responses show, `listVersion` those to records. */
export interface FamilyCounters {
  readonly familyVersion: number;
  readonly listVersion: number;
}

export async function countersOf(
  { records }: Pick<Ports, 'records'>,
  family: FamilyRef,
): Promise<FamilyCounters> {
  const { familyVersion, value } = await records.list(family, LIVE, { limit: 1, offset: 0 });
  return { familyVersion, listVersion: value.listVersion };
}

export async function liveRecords(
  { records }: Pick<Ports, 'records'>,
  family: FamilyRef,
): Promise<readonly ConfigRecord[]> {
  return (await records.list(family, LIVE, WHOLE)).value.items;
}

/** Reads the history of the record, newest first. */
export async function historyOf(
  { activity }: Pick<Ports, 'activity'>,
  record: RecordRef,
): Promise<readonly ActivityEntry[]> {
  return (await activity.page(record, WHOLE)).items;
}

export function idsOf(records: readonly { readonly id: number }[]): readonly number[] {
  return records.map(({ id }) => id);
}
