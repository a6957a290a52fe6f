import { describe, expect, test } from 'vitest';
import type { ConfigField } from '../configuration/config-field.ts';
import { storedOf } from '../configuration/configuration.fixture.ts';
import { MASK } from '../configuration/configuration.ts';
import type { JsonObject } from '../kernel/json.ts';
import { aConfigRecord } from '../record/config-record.fixture.ts';
import type { RecordWithValues } from '../record/configured-record.ts';
import { decideWriteBack } from './write-back.ts';

const SCHEMA: readonly ConfigField[] = [
  { key: 'host', type: 'string', required: true },
  { key: 'token', type: 'string', secret: true },
  { key: 'refresh', type: 'string', secret: true, runtimeWritable: true },
  { key: 'uses', type: 'number', secret: true, runtimeWritable: true },
];
const AUTHOR = { actor: { keyId: 1, label: 'shop runtime' }, requestId: null, at: new Date('2026-01-02') };

function stored(values: JsonObject, schema = SCHEMA): RecordWithValues {
  const record = aConfigRecord({ configVersion: 3, enabled: true });
  return {
    ...storedOf({ values: JSON.stringify(values), schema }),
    record,
    plugin: { id: 7, name: 'GeoIP', configSchema: schema },
  };
}

const VALUES = { host: 'a', token: 'hunter1', refresh: 'hunter2' };

const written = (set: JsonObject, values: JsonObject = VALUES, configVersion = 3) =>
  decideWriteBack(stored(values), { configVersion, set, author: AUTHOR });

describe('writing secrets back', () => {
  test('changes only the given entries, with a masked activity entry and without a revision', () => {
    const { write, ...decided } = written({ refresh: 'hunter3', uses: 2 });
    expect(decided).toEqual({ configVersion: 4, isValid: true });
    expect(JSON.parse(write?.values ?? '')).toEqual({ ...VALUES, refresh: 'hunter3', uses: 2 });
    expect(write).not.toHaveProperty('ended');
    expect(write).not.toHaveProperty('staysInvalid');
    expect(write?.activity).toMatchObject({
      activity: 'config_written',
      actor: AUTHOR.actor,
      changes: [
        { field: 'config.refresh', before: MASK, after: MASK },
        { field: 'config.uses', before: null, after: MASK },
      ],
    });
    expect(JSON.stringify(write?.activity)).not.toContain('hunter');
  });

  test.for([[null], ['']])('%j removes an entry', ([value = null]) => {
    const { write, configVersion } = written({ refresh: value });
    expect(JSON.parse(write?.values ?? '')).toEqual({ host: 'a', token: 'hunter1' });
    expect(configVersion).toBe(4);
  });

  test('an equal value gets an activity entry, but no new version', () => {
    const { write, configVersion } = written({ refresh: 'hunter2' });
    expect(configVersion).toBe(3);
    expect(write).not.toHaveProperty('values');
    expect(write?.activity.changes).toHaveLength(1);
  });

  test('nothing is written if nothing changes', () => {
    for (const set of [{}, { uses: null }])
      expect(written(set)).toMatchObject({ write: null, configVersion: 3 });
  });

  test('another version of the configuration is rejected, before anything else', () => {
    for (const version of [2, 4]) {
      expect(() => written({ host: 'b' }, VALUES, version)).toThrow(
        expect.objectContaining({ code: 'stale_version', attr: 'config_version' }),
      );
    }
  });

  test('other entries, masks and values that the schema rejects are each rejected at their key', () => {
    const rejected = (set: JsonObject): unknown => {
      try {
        return written(set);
      } catch (error) {
        const { errors } = error as { readonly errors: readonly { attr: string; code: string }[] };
        return errors.map(({ attr, code }) => [attr, code]);
      }
    };
    expect(rejected({ host: 'b', token: 'hunter3', other: 1, refresh: 'hunter3', uses: MASK })).toEqual(
      ['host', 'token', 'other', 'uses'].map((key) => [key, 'invalid_input']),
    );
    expect(rejected({ refresh: 1, uses: 'many' })).toEqual([
      ['refresh', 'invalid_input'],
      ['uses', 'invalid_input'],
    ]);
    expect(rejected({ refresh: { $ref: 'no uri' } })).toEqual([['refresh', 'invalid_input']]);
  });

  test('no entry is writable without a registration', () => {
    const unregistered = { ...stored(VALUES), plugin: null };
    expect(() =>
      decideWriteBack(unregistered, { configVersion: 3, set: { refresh: 'a' }, author: AUTHOR }),
    ).toThrow(expect.objectContaining({ code: 'invalid_input', attr: 'refresh' }));
  });

  test('entries that a newer schema rejects do not cost the runtime its value, and the record stays invalid', () => {
    const { write, isValid } = written({ refresh: 'hunter3' }, { old: 1, refresh: 'hunter2' });
    expect(JSON.parse(write?.values ?? '')).toEqual({ old: 1, refresh: 'hunter3' });
    expect([write?.staysInvalid, isValid]).toEqual([true, false]);
  });

  test('a required entry cannot be removed', () => {
    const required = SCHEMA.map((field) => ({ ...field, required: field.key === 'refresh' }));
    const remove = () =>
      decideWriteBack(stored(VALUES, required), {
        configVersion: 3,
        set: { refresh: null },
        author: AUTHOR,
      });
    expect(remove).toThrow(expect.objectContaining({ code: 'required', attr: 'refresh' }));
  });
});
