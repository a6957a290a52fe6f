import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import type { ConfigField } from './config-field.ts';
import { utf8Length } from '../kernel/text.ts';
import { backwardsBox } from './backwards-box.fixture.ts';
import {
  BOX,
  HOST,
  LIMIT,
  opened,
  parsed,
  refusal,
  replace,
  storedOf,
  storedPlugin,
  TOKEN,
} from './configuration.fixture.ts';
import { conceal, MASK, openConfiguration, seedConfiguration } from './configuration.ts';
import { replaceConfiguration } from './replace-configuration.ts';
import { keyIdOf, reseal } from './secret-box.ts';

describe('a secret', () => {
  const sealed = BOX.seal('"geheim"');
  const without = storedOf({ schema: [HOST, TOKEN] });
  const withToken = storedOf({
    schema: [HOST, TOKEN],
    config: '{"token":"********"}',
    secrets: [['token', sealed]],
  });

  test('is sealed and masked', () => {
    const { config, secrets, changes } = replace(without, { token: 'neu', host: 'a' });
    expect(config).toBe('{"host":"a","token":"********"}');
    expect(opened(secrets)).toEqual([['token', '"neu"']]);
    expect(changes).toEqual([
      { field: 'config.host', before: null, after: 'a' },
      { field: 'config.token', before: null, after: MASK },
    ]);
  });

  test('that is replaced appears in the history as masks', () => {
    const { secrets, changes } = replace(withToken, { token: 'neu' });
    expect(opened(secrets)).toEqual([['token', '"neu"']]);
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: MASK }]);
  });

  for (const newConfig of [{}, { token: MASK }, { token: 'geheim' }]) {
    test(`stays as it is, sealed once, when ${JSON.stringify(newConfig)} is sent`, () => {
      const { config, secrets, changes } = replace(withToken, newConfig);
      expect(config).toBe('{"token":"********"}');
      expect(secrets.get('token')).toBe(sealed);
      expect(changes).toEqual([]);
    });
  }

  test('cannot be added to others without end, and can be cleared though there are too many', () => {
    const schema = ['a', 'b', 'c'].map((key) => ({ key, type: 'string', secret: true }) as const);
    const large = 'x'.repeat(LIMIT - 100);
    const one = replace(storedOf({ schema }), { a: large });
    const two = replace(storedOf({ schema, config: one.config, secrets: [...one.secrets] }), { b: large });
    const both = storedOf({ schema, config: two.config, secrets: [...two.secrets] });
    expect(() => replace(both, { c: large })).toThrow(refusal('too_large', null));
    const three = storedOf({
      schema,
      config: '{"a":"********","b":"********","c":"********"}',
      secrets: [...two.secrets, ['c', BOX.seal(JSON.stringify(large + large))]],
    });
    expect([...replace(three, { a: '', b: MASK, c: MASK }).secrets.keys()]).toEqual(['b', 'c']);
  });

  test('is cleared by an empty text', () => {
    const { config, secrets, changes } = replace(withToken, { token: '' });
    expect([config, secrets.size]).toEqual(['{}', 0]);
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: null }]);
  });

  test('that is not stored cannot be set by its mask or cleared by an empty text', () => {
    for (const token of [MASK, '']) {
      const { config, secrets, changes } = replace(without, { token });
      expect([config, secrets.size, changes]).toEqual(['{}', 0, []]);
    }
  });

  test('that is required can be kept, but not left out or cleared', () => {
    const required = [{ ...TOKEN, required: true }];
    expect(replace({ ...withToken, ...storedPlugin(required) }, {}).config).toBe('{"token":"********"}');
    for (const newConfig of [{}, { token: MASK }, { token: '' }]) {
      expect(() => replace(storedOf({ schema: required }), newConfig)).toThrow(refusal('required', 'token'));
    }
    expect(() => replace({ ...withToken, ...storedPlugin(required) }, { token: '' })).toThrow(
      refusal('required', 'token'),
    );
  });

  test('may be of any type', () => {
    const schema: readonly ConfigField[] = [
      { key: 'pin', type: 'number', secret: true },
      { key: 'on', type: 'boolean', secret: true },
      { key: 'extra', type: 'json', secret: true },
    ];
    const { config, secrets } = replace(storedOf({ schema }), { pin: 0, on: false, extra: { a: 'geheim' } });
    expect(config).toBe('{"pin":"********","on":"********","extra":"********"}');
    expect(opened(secrets)).toEqual([
      ['pin', '0'],
      ['on', 'false'],
      ['extra', '{"a":"geheim"}'],
    ]);
  });

  test('stays secret when its plugin is removed or no longer declares it', () => {
    for (const known of [
      storedPlugin(),
      storedPlugin([HOST, { ...TOKEN, secret: false }]),
      storedPlugin([HOST]),
    ]) {
      const stored = { ...withToken, ...known };
      expect(replace(stored, {}).config).toBe('{"token":"********"}');
      expect(replace(stored, { token: MASK }).changes).toEqual([]);
      expect(replace(stored, { token: '' }).config).toBe('{}');
    }
    const replaced = replace({ ...withToken, ...storedPlugin() }, { token: 'neu' });
    expect(replaced.config).toBe('{"token":"********"}');
    expect(opened(replaced.secrets)).toEqual([['token', '"neu"']]);
  });

  test('counts with its own size when it is set, and with its mask when it is kept', () => {
    const room = LIMIT - '{"host":"","token":"********"}'.length;
    expect(utf8Length(replace(withToken, { host: 'x'.repeat(room) }).config)).toBe(LIMIT);
    expect(() => replace(withToken, { host: 'x'.repeat(room + 1) })).toThrow(refusal('too_large', null));
    expect(() => replace(without, { token: 'x'.repeat(LIMIT) })).toThrow(refusal('too_large', 'config'));
  });

  test('may have the name of a built-in property of objects', () => {
    const stored = storedOf({ schema: [{ key: '__proto__', type: 'string', secret: true }] });
    const { config, secrets } = replace(stored, parsed('{"__proto__":"geheim"}'));
    expect(config).toBe('{"__proto__":"********"}');
    expect(opened(secrets)).toEqual([['__proto__', '"geheim"']]);
  });

  test('never appears in the configuration or the history', () => {
    const keys = ['a', 'b', '__proto__'];
    const values = fc.constantFrom<Json>('geheim-1', { deep: ['geheim-2'] }, MASK, '', null, 'geheim-3');
    const askedFor = fc
      .array(fc.tuple(fc.constantFrom(...keys), values))
      .map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(fc.array(askedFor), fc.subarray(keys), (requests, secretKeys) => {
        const schema = keys.map((key): ConfigField => ({
          key,
          type: 'json',
          secret: secretKeys.includes(key),
        }));
        let stored = storedOf({ schema });
        for (const request of requests) {
          const newConfig = Object.fromEntries(
            Object.entries(request).filter(([key]) => secretKeys.includes(key)),
          );
          const { config, secrets, changes } = replace(stored, newConfig);
          expect(JSON.stringify([config, changes])).not.toContain('geheim');
          stored = storedOf({ schema, config, secrets: [...secrets] });
          expect(Object.keys(parsed(config)).toSorted()).toEqual([...secrets.keys()].toSorted());
        }
      }),
    );
  });
});

describe('a new record', () => {
  test('starts with the defaults, secret ones sealed', () => {
    const schema: readonly ConfigField[] = [
      { ...HOST, default: 'localhost' },
      { key: 'retries', type: 'number', default: 0 },
      { key: 'on', type: 'boolean', default: false },
      { key: 'none', type: 'json', default: null },
      { key: 'path', type: 'string' },
      { ...TOKEN, default: 'geheim' },
      { key: '__proto__', type: 'json', default: [1] },
    ];
    const { config, secrets } = seedConfiguration(schema, backwardsBox());
    expect(config).toBe('{"host":"localhost","retries":0,"on":false,"token":"********","__proto__":[1]}');
    expect(opened(secrets)).toEqual([['token', '"geheim"']]);
  });

  test('starts empty if there are no defaults', () => {
    expect(seedConfiguration([], backwardsBox())).toEqual({ config: '{}', secrets: new Map() });
    expect(seedConfiguration([HOST, TOKEN], backwardsBox())).toEqual({ config: '{}', secrets: new Map() });
  });
});

describe('concealing', () => {
  test('seals secret fields that are still plain text', () => {
    const stored = { config: '{"host":"a","token":"geheim"}', secrets: new Map() };
    const { config, secrets } = conceal(stored, [HOST, TOKEN], backwardsBox());
    expect(config).toBe('{"host":"a","token":"********"}');
    expect(opened(secrets)).toEqual([['token', '"geheim"']]);
  });

  test('leaves sealed, empty and non-secret fields unchanged', () => {
    const sealed = { config: '{"token":"********"}', secrets: new Map([['token', 'sealed']]) };
    expect(conceal(sealed, [TOKEN], backwardsBox())).toBe(sealed);
    for (const config of ['{}', '{"token":""}', '{"token":null}', '{"host":"a","other":"b"}']) {
      const stored = { config, secrets: new Map<string, string>() };
      expect(conceal(stored, [HOST, TOKEN], backwardsBox())).toBe(stored);
    }
  });

  test('keeps secrets that are already sealed, whichever plugin declared them', () => {
    const before = [
      ['old', 'sealed'],
      ['mine', 'sealed too'],
    ] as const;
    const stored = {
      config: '{"old":"********","mine":"********","token":"geheim"}',
      secrets: new Map(before),
    };
    const schema = [{ ...TOKEN, key: 'mine' }, TOKEN];
    const { config, secrets } = conceal(stored, schema, backwardsBox());
    expect(config).toBe('{"old":"********","mine":"********","token":"********"}');
    expect([...secrets]).toEqual([...before, ['token', 'k1.1:"mieheg"']]);
  });
});

test('the handler of a plugin gets the whole configuration decrypted', () => {
  const box = backwardsBox();
  const secrets: [string, string][] = [
    ['token', box.seal('"geheim"')],
    ['extra', box.seal('{"a":[1]}')],
  ];
  const stored = storedOf({ config: '{"host":"a","token":"********","extra":"********"}', secrets });
  expect(openConfiguration(stored, box)).toEqual({ host: 'a', token: 'geheim', extra: { a: [1] } });
});

describe('after a new first key', () => {
  const old = backwardsBox(['k1']);
  const both = backwardsBox(['k2', 'k1']);
  const stored = storedOf({
    schema: [HOST, TOKEN],
    config: '{"token":"********"}',
    secrets: [['token', old.seal('"geheim"')]],
  });

  test.each(['geheim', 'neu'])('a secret that is set again to %j is sealed with the new key', (token) => {
    const { secrets, changes } = replaceConfiguration(stored, { token }, both);
    expect(keyIdOf(secrets.get('token') ?? '')).toBe('k2');
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: MASK }]);
  });

  test.each([{}, { token: MASK }])('%j keeps the secret as it is', (newConfig) => {
    const { secrets, changes } = replaceConfiguration(stored, newConfig, both);
    expect([secrets, changes]).toEqual([stored.secrets, []]);
  });

  test('a secret can be replaced, kept and cleared although its key is missing', () => {
    const box = backwardsBox(['k2']);
    for (const newConfig of [{ token: 'neu' }, { token: MASK }, { token: '' }])
      expect(() => replaceConfiguration(stored, newConfig, box)).not.toThrow();
    expect(box.open(replaceConfiguration(stored, { token: 'neu' }, box).secrets.get('token') ?? '')).toBe(
      '"neu"',
    );
  });

  test('everything is resealed with the new key, except secrets that already have it', () => {
    const secrets = new Map([
      ['a', old.seal('1')],
      ['b', both.seal('2')],
    ]);
    const resealed = reseal(secrets, both);
    expect([...resealed.values()].map(keyIdOf)).toEqual(['k2', 'k2']);
    expect([...resealed.values()].map(both.open)).toEqual(['1', '2']);
    expect(resealed.get('b')).toBe(secrets.get('b'));
  });

  test('a secret whose key is missing cannot be decrypted, which is not an error of the client', () => {
    const missing = expect.objectContaining({ code: 'key_missing', attr: null, retryAfterSeconds: 60 });
    expect(() => openConfiguration(stored, backwardsBox(['k2']))).toThrow(missing);
  });
});

test('a field that a new schema declares secret counts as sealed before it is sealed', () => {
  const stored = storedOf({ schema: [HOST, TOKEN], config: '{"token":"geheim","host":"a"}' });
  const kept = replace(stored, { host: 'b', token: MASK });
  expect([kept.config, opened(kept.secrets)]).toEqual([
    '{"host":"b","token":"********"}',
    [['token', '"geheim"']],
  ]);
  expect(kept.changes).toEqual([{ field: 'config.host', before: 'a', after: 'b' }]);
  const cleared = replace(stored, { token: '' });
  expect(cleared.changes).toContainEqual({ field: 'config.token', before: MASK, after: null });
});
