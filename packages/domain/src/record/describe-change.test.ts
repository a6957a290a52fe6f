import { describe, expect, test } from 'vitest';
import { aConfigRecord } from './config-record.fixture.ts';
import type { ConfigRecord } from './config-record.ts';
import type { Author } from '../kernel/author.ts';
import { describeChange, describeCreation, describeMove } from './describe-change.ts';

const ACTOR = { keyId: null, label: 'operator' };
const AUTHOR: Author = { actor: ACTOR, requestId: 'request', at: new Date('2026-01-02T03:04:05.678Z') };

const WORDS: readonly { before?: Partial<ConfigRecord>; after: Partial<ConfigRecord>; activity: string }[] = [
  { after: { name: 'Other' }, activity: 'updated' },
  { after: { enabled: true }, activity: 'enabled' },
  { before: { enabled: true }, after: { enabled: false }, activity: 'disabled' },
  { before: { enabled: true }, after: { enabled: false, deleted: true }, activity: 'deleted' },
  { after: { deleted: true }, activity: 'deleted' },
  { before: { deleted: true }, after: { deleted: false }, activity: 'restored' },
  { before: { deleted: true }, after: { deleted: false, enabled: true }, activity: 'restored' },
  { after: { enabled: true, name: 'Other', order: 9 }, activity: 'enabled' },
  { after: { order: 9 }, activity: 'updated' },
];

describe('a change', () => {
  for (const { before = {}, after, activity } of WORDS) {
    test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)} is described as ${activity}, field by field`, () => {
      const known = aConfigRecord(before);
      const entry = describeChange(known, { ...known, ...after }, AUTHOR);
      expect(entry).toMatchObject({ ...AUTHOR, activity });
      expect(Object.fromEntries(entry.changes.map((change) => [change.field, change.after]))).toEqual(after);
      for (const change of entry.changes) expect(known).toHaveProperty(change.field, change.before);
    });
  }

  test('describes writable fields, not derived values', () => {
    const known = aConfigRecord();
    const after = {
      ...known,
      name: null,
      config: '{"a":1}',
      version: 9,
      error: 'broken',
      updatedAt: AUTHOR.at,
    };
    expect(describeChange(known, after, AUTHOR).changes).toEqual([
      { field: 'name', before: 'Name', after: null },
    ]);
  });
});

test('the entry of a creation lists all given fields', () => {
  const draft = { plugin: 7, enabled: false, order: null, name: null, description: '', deleted: false };
  expect(describeCreation(draft, AUTHOR)).toEqual({
    ...AUTHOR,
    activity: 'created',
    changes: [
      { field: 'plugin', before: null, after: 7 },
      { field: 'enabled', before: null, after: false },
      { field: 'description', before: null, after: '' },
      { field: 'deleted', before: null, after: false },
    ],
  });
});

test('the entry of a creation also lists the entries of a configuration, within its limits', () => {
  const draft = { plugin: 7, enabled: false, order: 1, name: null, description: null, deleted: false };
  const fields = describeCreation(draft, AUTHOR).changes;
  const changes = Array.from({ length: 100 }, (_, i) => ({ field: `config.${i}`, before: null, after: i }));
  expect(describeCreation(draft, AUTHOR, { changes, more: 5 })).toEqual({
    ...AUTHOR,
    activity: 'created',
    changes: [...fields, ...changes].slice(0, 100),
    more: 5 + fields.length,
  });
});

test('the entry of a move has the old and the new position', () => {
  expect(describeMove(1, 2, AUTHOR)).toEqual({
    ...AUTHOR,
    activity: 'rearranged',
    changes: [{ field: 'order', before: 1, after: 2 }],
  });
});
