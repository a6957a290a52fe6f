import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aConfigRecord } from './config-record.fixture.ts';
import {
  changeRecord,
  checkPrecondition,
  draftRecord,
  formerPluginsAfter,
  type UnversionedRecord,
  type RecordChange,
} from './config-record.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

const BAD_TEXTS: readonly { readonly given: RecordChange; readonly code: string; readonly attr: string }[] = [
  { given: { name: 'x'.repeat(401) }, code: 'max_length', attr: 'name' },
  { given: { name: '🚀'.repeat(401) }, code: 'max_length', attr: 'name' },
  { given: { description: 'x'.repeat(1001) }, code: 'max_length', attr: 'description' },
  { given: { name: 'nul \0' }, code: 'invalid_input', attr: 'name' },
  { given: { description: 'half \ud83d' }, code: 'invalid_input', attr: 'description' },
];

describe('a draft', () => {
  test('takes the given fields, and defaults for the rest', () => {
    expect(draftRecord({ plugin: 7 })).toEqual({
      plugin: 7,
      enabled: false,
      order: null,
      name: null,
      description: null,
      deleted: false,
    });
    const given = {
      plugin: INTEGER_MAX,
      enabled: true,
      order: 0,
      name: '',
      description: 'Text',
      deleted: false,
    };
    expect(draftRecord(given)).toEqual(given);
  });

  test('needs a plugin', () => {
    expect(() => draftRecord({ name: 'Name' })).toThrow(rejection('required', 'plugin'));
  });

  test('that is deleted is disabled', () => {
    expect(draftRecord({ plugin: 7, enabled: true, deleted: true })).toMatchObject({
      enabled: false,
      deleted: true,
    });
  });

  test('accepts texts of up to 400 and 1000 code points', () => {
    const texts = { name: '🚀'.repeat(400), description: '🚀'.repeat(1000) };
    expect(draftRecord({ plugin: 7, ...texts })).toMatchObject(texts);
  });

  for (const { given, code, attr } of BAD_TEXTS) {
    test(`is rejected for its ${attr}: ${code}`, () => {
      expect(() => draftRecord({ plugin: 7, ...given })).toThrow(rejection(code, attr));
    });
  }
});

describe('a change', () => {
  test('changes only the given fields', () => {
    const record = aConfigRecord();
    expect(changeRecord(record, { order: 9, description: '' })).toEqual({
      ...record,
      order: 9,
      description: '',
    });
  });

  test('accepts any position, including the first', () => {
    for (const order of [0, INTEGER_MAX]) {
      expect(changeRecord(aConfigRecord(), { order })).toMatchObject({ order });
    }
  });

  test('clears a name or description with null', () => {
    const record = aConfigRecord({ name: 'Name', description: 'Text' });
    expect(changeRecord(record, { name: null, description: null })).toMatchObject({
      name: null,
      description: null,
    });
  });

  test('without fields returns the same object', () => {
    const record = aConfigRecord();
    const { plugin, enabled, order, name, description, deleted } = record;
    expect(changeRecord(record, {})).toBe(record);
    expect(changeRecord(record, { name: undefined, enabled: undefined })).toBe(record);
    expect(changeRecord(record, { plugin, enabled, order, name, description, deleted })).toBe(record);
  });

  test('that deletes a record also disables it', () => {
    const record = aConfigRecord({ enabled: true });
    expect(changeRecord(record, { deleted: true })).toMatchObject({ deleted: true, enabled: false });
    expect(changeRecord(record, { deleted: true, enabled: true })).toMatchObject({
      deleted: true,
      enabled: false,
    });
  });

  test('that deletes a record again is a no-op', () => {
    const record = aConfigRecord({ deleted: true });
    expect(changeRecord(record, { deleted: true })).toBe(record);
    expect(changeRecord(record, { deleted: true, enabled: true })).toBe(record);
  });

  test('that restores a record keeps its order, and leaves it disabled unless it also enables it', () => {
    const record = aConfigRecord({ deleted: true, order: 5 });
    expect(changeRecord(record, { deleted: false })).toMatchObject({
      deleted: false,
      enabled: false,
      order: 5,
    });
    expect(changeRecord(record, { deleted: false, enabled: true })).toMatchObject({
      deleted: false,
      enabled: true,
    });
  });

  test('cannot enable a deleted record without restoring it', () => {
    const record = aConfigRecord({ deleted: true });
    expect(() => changeRecord(record, { enabled: true })).toThrow(rejection('invalid_input', 'enabled'));
    expect(() => changeRecord(record, { enabled: true, name: 'Name' })).toThrow(
      rejection('invalid_input', 'enabled'),
    );
    expect(changeRecord(record, { enabled: false })).toBe(record);
  });

  test('may update other fields of a deleted record', () => {
    const record = aConfigRecord({ deleted: true });
    expect(changeRecord(record, { name: 'Other', order: 8 })).toMatchObject({
      deleted: true,
      name: 'Other',
      order: 8,
    });
  });

  for (const { given, code, attr } of BAD_TEXTS) {
    test(`is rejected for its ${attr}: ${code}`, () => {
      expect(() => changeRecord(aConfigRecord(), given)).toThrow(rejection(code, attr));
    });
  }

  test('never leaves a record both deleted and enabled', () => {
    const flags = fc.record({ deleted: fc.boolean(), enabled: fc.boolean() }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(flags), (changes) => {
        let record: UnversionedRecord = aConfigRecord();
        for (const change of changes) {
          const next = attempt(record, change);
          expect(next.deleted && next.enabled).toBe(false);
          record = next;
        }
      }),
    );
  });
});

test('a record is moved away from at most a hundred plugins', () => {
  const formerPlugins = Array.from({ length: 100 }, (_, n) => n + 1);
  expect(formerPluginsAfter(aConfigRecord({ plugin: 100, formerPlugins }))).toEqual(formerPlugins);
  expect(() => formerPluginsAfter(aConfigRecord({ plugin: 101, formerPlugins }))).toThrow(
    rejection('invalid_input', 'plugin'),
  );
});

function attempt(record: UnversionedRecord, change: RecordChange): UnversionedRecord {
  try {
    return changeRecord(record, change);
  } catch {
    return record;
  }
}

function rejection(code: string, attr: string): unknown {
  return expect.objectContaining({ name: 'DomainError', code, attr });
}

test('without a precondition, any version is accepted', () => {
  expect(() => checkPrecondition(null, 7)).not.toThrow();
});

test('a precondition accepts the versions it lists', () => {
  expect(() => checkPrecondition([3, 7], 7)).not.toThrow();
});

test('a precondition without the current version is stale, even if it is empty', () => {
  for (const precondition of [[6, 8], []]) {
    expect(() => checkPrecondition(precondition, 7)).toThrow(
      expect.objectContaining({ code: 'stale_version' }),
    );
  }
});
