import {
  CHANGES_OF_RECORD,
  FAMILIES,
  MANAGED_LIVE_MAX,
  perFamily,
  tooLargeToManage,
  type Activity,
  type Applied,
  type Base,
  type EditedRecord,
  type Family,
  type FamilyMark,
  type LockedProject,
  type ManagedFamily,
  type ManagedRecords,
  type ManagedScope,
  type ManagedState,
  type Once,
  type OwnedOrNot,
  type Ownership,
} from '@plugin-config/domain';
import { createIn } from './create-in.ts';
import { familyOf, raiseRevision } from './family-changes.ts';
import { lockedFamily } from './locked-family.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { MEMORY_LINEAGE } from './memory-lineage.ts';
import type { MemoryState } from './memory-state.ts';
import { onceIn } from './once-in.ts';
import { pageOf } from './page-of.ts';
import { saveIn } from './save-in.ts';
import { liveOf, recordsOf } from './stored-records.ts';

const CHANGING = new Set<Activity>(CHANGES_OF_RECORD);

export function memoryManagedRecords(db: MemoryDatabase): ManagedRecords {
  return {
    read: async (scope) => managedState(db.state, scope),
    lock: (scope, work) => db.change((state) => work(lockedProject(state, scope, db.now))),
    page: async (projectId, manager, page) =>
      pageOf(
        ownershipsOf(db.state, projectId).filter((owned) => manager === null || owned.manager === manager),
        page,
        () => 0,
      ),
    drift: async (projectId, manager) => driftOf(db.state, projectId, manager),
  };
}

function lockedProject(state: MemoryState, scope: ManagedScope, now: Date): LockedProject {
  const { projectId, manager } = scope;
  return {
    state: managedState(state, scope),
    changedSince: async ({ marks }, families) =>
      families.flatMap((family) =>
        recordsOf(state, { projectId, family })
          .toSorted((a, b) => a.id - b.id)
          .flatMap(({ id }) => editedOf(state, { family, id, after: marks[family].entry, manager })),
      ),
    save: async (writes) =>
      writes.map((write) => {
        const saved = saveIn(state, write);
        if (saved === null) throw new Error('A write of a locked project was not current.');
        return saved;
      }),
    create: async (family, drafts, author) =>
      drafts.map((draft) => createIn(state, family, draft, { author, requireRegistered: false })),
    move: (family, positions, author) => lockedFamily(state, family).move(positions, author),
    own: async (records) => {
      for (const { id, family, key, preventDestroy } of records) {
        const before = state.managed.get(id);
        const version = state.records.get(id)?.record.version ?? 0;
        const applied = { appliedVersion: version, appliedEntry: lastEntry(state, id) };
        state.managed.set(id, { manager, key, preventDestroy, ...applied });
        if (before?.manager !== manager || before.key !== key)
          raiseRevision(state, { projectId, family }, [id]);
      }
    },
    disown: async (records) => {
      for (const { id, family } of records) {
        state.managed.delete(id);
        raiseRevision(state, { projectId, family }, [id]);
      }
    },
    owners: async (ids) =>
      ids.flatMap((id): readonly OwnedOrNot[] => {
        const record = state.records.get(id)?.record;
        if (record?.projectId !== projectId) return [];
        const { family } = record;
        const owner = state.managed.get(id);
        return owner === undefined
          ? [{ family, id, key: null, manager: null }]
          : [{ family, id, key: owner.key, manager: owner.manager }];
      }),
    base: async () => baseOf(state, projectId),
    keptAnswer: async ({ name }) => {
      const outcome = state.answers.get(name)?.outcome as Omit<Once<Applied>, 'isFirst'> | undefined;
      return outcome === undefined ? null : { ...outcome, isFirst: false };
    },
    keepAnswer: async (key, actor, answer) => {
      onceIn(state, { family: { projectId, family: 'plugin_configs' }, actor, key, now }, () => answer);
    },
  };
}

function managedState(state: MemoryState, { projectId, manager, plugins }: ManagedScope): ManagedState {
  const familyState = (family: Family): ManagedFamily => {
    const live = liveOf(state, { projectId, family }).map(({ id, order }) => ({ id, order }));
    if (live.length > MANAGED_LIVE_MAX) throw tooLargeToManage();
    const owned = recordsOf(state, { projectId, family })
      .toSorted((a, b) => a.id - b.id)
      .flatMap((record) => {
        const owner = state.managed.get(record.id);
        if (owner?.manager !== manager) return [];
        const { key, preventDestroy } = owner;
        const isAsApplied = owner.appliedVersion === record.version;
        const secrets = state.records.get(record.id)?.secrets ?? new Map();
        return [{ key, preventDestroy, isAsApplied, record: { ...record, pluginInfo: null }, secrets }];
      });
    return { live, owned };
  };
  const families = perFamily(familyState);
  const attached = FAMILIES.flatMap((family) => families[family].owned.map(({ record }) => record.plugin));
  const registered = [...new Set([...plugins, ...attached])].flatMap((id) => {
    const registration = state.plugins.get(id);
    return registration === undefined ? [] : [[id, registration] as const];
  });
  return { base: baseOf(state, projectId), families, plugins: new Map(registered) };
}

function baseOf(state: MemoryState, projectId: number): Base {
  const markOf = (family: Family): FamilyMark => {
    const { listVersion, revision } = familyOf(state, { projectId, family });
    const entries = recordsOf(state, { projectId, family }).map(({ id }) => lastEntry(state, id));
    return { listVersion, revision, entry: Math.max(0, ...entries) };
  };
  return { lineage: MEMORY_LINEAGE, marks: perFamily(markOf) };
}

function lastEntry({ activity }: MemoryState, id: number): number {
  return Math.max(0, ...[...activity].map(([entry, { recordId }]) => (recordId === id ? entry : 0)));
}

interface Edited {
  readonly family: Family;
  readonly id: number;
  /** The last entry that is not asked for. */
  readonly after: number;
  readonly manager: string;
}

function editedOf(state: MemoryState, { family, id, after, manager }: Edited): readonly EditedRecord[] {
  const entries = [...state.activity.values()]
    .filter(({ recordId, entry }) => recordId === id && entry.id > after && CHANGING.has(entry.activity))
    .map(({ entry }) => entry);
  const last = entries.at(-1);
  if (last === undefined) return [];
  const owner = state.managed.get(id);
  const key = owner?.manager === manager ? owner.key : null;
  const fields = [...new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)))].toSorted();
  return [{ family, id, key, fields, actor: last.actor, at: last.at }];
}

function ownershipsOf(state: MemoryState, projectId: number): readonly Ownership[] {
  return FAMILIES.flatMap((family) =>
    recordsOf(state, { projectId, family })
      .toSorted((a, b) => a.id - b.id)
      .flatMap(({ id }) => {
        const owner = state.managed.get(id);
        return owner === undefined ? [] : [{ family, id, key: owner.key, manager: owner.manager }];
      }),
  );
}

function driftOf(state: MemoryState, projectId: number, manager: string): readonly EditedRecord[] {
  return ownershipsOf(state, projectId)
    .filter((owned) => owned.manager === manager)
    .flatMap(({ family, id, key }) => {
      const owner = state.managed.get(id);
      const version = state.records.get(id)?.record.version;
      if (owner === undefined || version === owner.appliedVersion) return [];
      const [edited] = editedOf(state, { family, id, after: owner.appliedEntry, manager });
      return [edited ?? { family, id, key, fields: [], actor: null, at: null }];
    });
}
