import { ALL_RECORDS, cursorAt, type ConfigRecord, type FamilyRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { Ports } from '../ports.ts';
import { WHOLE } from './read-state.ts';

const ANY = { deleted: null, enabled: null, plugin: null, valid: null, outdated: null, search: null };

/** Does the work, and returns the changes to the family that are then listed. */
export async function changesOf(
  ports: Pick<Ports, 'changes' | 'records'>,
  family: FamilyRef,
  work: () => Promise<unknown>,
): Promise<{
  readonly ids: readonly number[];
  readonly isReordered: boolean;
  readonly isCursorInvalid: boolean;
}> {
  const {
    familyVersions: [before = 0],
    ...at
  } = await ports.changes.familyVersions([family]);
  const cursor = cursorAt({ ...at, familyVersion: before });
  await work();
  const { records, orderVersion, familyVersion, isComplete, isCursorInvalid } = await ports.changes.after(
    family,
    cursor,
    1000,
  );
  const { value } = await ports.records.listChanged(family, cursor, ANY, WHOLE);
  expect(value.items.map(shown)).toEqual(
    records.map(({ id, version, deleted }) => ({ id, version, deleted })),
  );
  expect(value.isCursorInvalid).toBe(isCursorInvalid);
  expect((await ports.changes.familyVersions([family])).familyVersions).toEqual([familyVersion]);
  expect(isComplete).toBe(true);
  expect(value.end).toEqual({ familyVersion, id: ALL_RECORDS });
  return { ids: records.map(({ id }) => id), isReordered: orderVersion > before, isCursorInvalid };
}

function shown({ id, version, deleted }: ConfigRecord) {
  return { id, version, deleted };
}
