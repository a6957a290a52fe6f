import {
  freshnessOf,
  isAfter,
  itemsThatFit,
  positionAfterPage,
  recordBytes,
  type AtRevision,
  type ConfigRecord,
  type ConfigRecordStore,
  type FamilyRef,
  type ChangedFilter,
} from '@plugin-config/domain';
import { createIn } from './create-in.ts';
import { familyOf } from './family-changes.ts';
import { lockedFamily } from './locked-family.ts';
import { MEMORY_LINEAGE } from './memory-lineage.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState } from './memory-state.ts';
import { onceIn } from './once-in.ts';
import { pageOf } from './page-of.ts';
import { refuseRevoked } from './refuse-revoked.ts';
import { saveIn } from './save-in.ts';
import { asConfiguredNow, configurationOf, recordOf, recordsOf, registrationsOf } from './stored-records.ts';

export function memoryConfigRecordStore(db: MemoryDatabase): ConfigRecordStore {
  return {
    find: async (ref) => {
      const record = recordOf(db.state, ref);
      const { manager, key } = (record && db.state.managed.get(record.id)) ?? {};
      const managedBy = manager === undefined || key === undefined ? null : { manager, key };
      return { ...atRevision(db.state, ref, record), managedBy };
    },

    list: async (family, filter, page) => {
      const fitting = recordsOf(db.state, family).filter((record) => fits(record, filter));
      const { listVersion } = familyOf(db.state, family);
      return atRevision(db.state, family, { ...pageOf(fitting, page, recordBytes), listVersion });
    },

    listChanged: async (family, since, filter, page) => {
      const { revision, listVersion } = familyOf(db.state, family);
      const changed = recordsOf(db.state, family)
        .filter((record) => fits(record, filter))
        .map((record) => ({ record, id: record.id, revision: changedAt(db.state, record.id) }))
        .filter((position) => isAfter(position, since))
        .toSorted((a, b) => (isAfter(a, b) ? 1 : -1));
      const { items: last, count } = pageOf(changed, page, ({ record }) => recordBytes(record));
      const end = positionAfterPage(revision, { offset: page.offset, count, last }, since);
      const items = last.map(({ record }) => record);
      return atRevision(db.state, family, { items, count, listVersion, end });
    },

    portion: async (family, ids, maxBytes) => {
      const found = ids.map((id) => recordOf(db.state, { ...family, id }));
      return itemsThatFit(found, (record) => (record === null ? 0 : recordBytes(record)), maxBytes);
    },

    create: (family, draft, options) => db.change((state) => createIn(state, family, draft, options)),

    createOnce: (family, draft, options, key) =>
      db.change((state) => {
        refuseRevoked(state, options.author);
        const asked = { family, actor: options.author.actor, key, now: db.now };
        const created = onceIn(state, asked, () => createIn(state, family, draft, options));
        return { ...created, value: asConfiguredNow(state, created.value) };
      }),

    save: (write) => db.change((state) => saveIn(state, write)),

    configuration: async (ref, plugin) => configurationOf(db.state, ref, plugin),

    lock: (family, work) => db.change((state) => work(lockedFamily(state, family))),
  };
}

function atRevision<T>(state: MemoryState, family: FamilyRef, value: T): AtRevision<T> {
  const { revision } = familyOf(state, family);
  const freshness = freshnessOf({ generation: 0, revision, registrations: registrationsOf(state) });
  return { lineage: MEMORY_LINEAGE, revision, freshness, value };
}

function fits(record: ConfigRecord, { deleted, enabled, plugin, search }: ChangedFilter): boolean {
  return (
    (deleted === null || record.deleted === deleted) &&
    (enabled === null || record.enabled === enabled) &&
    (plugin === null || record.plugin === plugin) &&
    (search === null || [record.name, record.description].some((text) => contains(text, search)))
  );
}

function changedAt({ records }: MemoryState, id: number): number {
  return records.get(id)?.familyRevision ?? 0;
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) === true;
}
