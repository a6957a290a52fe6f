import {
  describeCreation,
  nextOrder,
  notFound,
  unregistered,
  type Author,
  type ConfigRecord,
  type FamilyRef,
  type RecordDraft,
} from '@plugin-config/domain';
import { raiseVersion, addActivity } from './family-changes.ts';
import type { MemoryState } from './memory-state.ts';
import { refuseRevoked } from './refuse-revoked.ts';
import { liveOf, recordOf } from './stored-records.ts';

export function createIn(
  state: MemoryState,
  { projectId, family }: FamilyRef,
  draft: RecordDraft,
  { author, requireRegistered }: { readonly author: Author; readonly requireRegistered: boolean },
): ConfigRecord {
  refuseRevoked(state, author);
  const ref = { projectId, family, id: state.records.size + 1 };
  const registration = state.plugins.get(draft.plugin);
  if (requireRegistered && registration === undefined) throw unregistered(draft.plugin);
  const placed = { ...draft, order: draft.order ?? nextOrder(liveOf(state, ref).at(-1)?.order ?? null) };
  state.records.set(ref.id, {
    record: {
      ...ref,
      ...placed,
      config: registration?.seed.config ?? '{}',
      error: null,
      deliveryRate: null,
      createdAt: author.at,
      updatedAt: author.at,
      version: 1,
      configRevision: 1,
    },
    secrets: registration?.seed.secrets ?? new Map(),
    edition: { ...author, number: 1 },
    familyRevision: 0,
  });
  raiseVersion(state, ref, [ref.id]);
  addActivity(state, ref, describeCreation(placed, author));
  return stored(state, ref);
}

function stored(state: MemoryState, ref: Parameters<typeof recordOf>[1]): ConfigRecord {
  const record = recordOf(state, ref);
  if (record === null) throw notFound();
  return record;
}
