import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import type { ConfigField } from '../plugin/config-field.ts';
import { utf8Length } from '../text.ts';
import { backwardsBox } from './backwards-box.fixture.ts';
import { aConfigRecord } from './config-record.fixture.ts';
import {
  conceal,
  MASK,
  openConfiguration,
  replaceConfiguration,
  seedConfiguration,
  type StoredConfiguration,
} from './configuration.ts';

const HOST: ConfigField = { key: 'host', type: 'string' };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const LIMIT = 256 * 1024;

describe('without a schema', () => {
  test('any object replaces what is stored', () => {
    const stored = storedOf({ config: '{"a":1,"b":2}' });
    expect(replace(stored, { c: [null], b: 2 }).config).toBe('{"c":[null],"b":2}');
  });

  test('changes are told key by key, what is gone or new as null', () => {
    const stored = storedOf({ config: '{"gone":1,"kept":{"a":1},"other":"x"}' });
    expect(replace(stored, { kept: { a: 1 }, other: 'y', new: [1] }).changes).toEqual([
      { field: 'config.gone', before: 1, after: null },
      { field: 'config.other', before: 'x', after: 'y' },
      { field: 'config.new', before: null, after: [1] },
    ]);
  });

  test('the same values again are no change, in whatever order their keys come', () => {
    expect(replace(storedOf({ config: '{"a":1,"b":[]}' }), { b: [], a: 1 }).changes).toEqual([]);
  });

  test('keys that objects have of their own are keys like others', () => {
    const asked = parsed('{"__proto__":{"a":1},"constructor":"b","toString":null,"hasOwnProperty":1}');
    const { config, changes } = replace(storedOf({}), asked);
    expect(config).toBe('{"__proto__":{"a":1},"constructor":"b","toString":null,"hasOwnProperty":1}');
    expect(changes.map(({ field }) => field)).toEqual([
      'config.__proto__',
      'config.constructor',
      'config.toString',
      'config.hasOwnProperty',
    ]);
    expect(replace(storedOf({ config }), asked).changes).toEqual([]);
  });

  test('null characters and lone surrogates are kept, escaped', () => {
    expect(replace(storedOf({}), { a: '\0\ud800' }).config).toBe(String.raw`{"a":"\u0000\ud800"}`);
  });

  test('the mask is a text like others', () => {
    expect(replace(storedOf({}), { a: MASK }).config).toBe(`{"a":"${MASK}"}`);
  });

  test('long values are cut in the history, and in whole characters', () => {
    const text = '🚀'.repeat(2000);
    const [change] = replace(storedOf({}), { text }).changes;
    expect(change?.after).toMatch(/^"🚀{499}\ufffd… \(3002 more characters\)$/u);
  });

  test('a value nested too deeply is refused', () => {
    let deep: Json = 1;
    for (let i = 0; i < 64; i++) deep = [deep];
    expect(() => replace(storedOf({}), { deep })).toThrow(refusal('invalid_input', 'config'));
  });

  for (const letter of ['x', 'ä', '漢', '🚀', '"', '\n', '\0']) {
    test(`the size counts the bytes of compact JSON, for ${JSON.stringify(letter)} as well`, () => {
      const each = utf8Length(JSON.stringify(letter)) - 2;
      const room = LIMIT - '{"text":""}'.length;
      const fitting = letter.repeat(Math.floor(room / each)) + 'x'.repeat(room % each);
      expect(utf8Length(replace(storedOf({}), { text: fitting }).config)).toBe(LIMIT);
      expect(() => replace(storedOf({}), { text: `${fitting}x` })).toThrow(refusal('too_large', null));
    });
  }
});

describe('with a schema', () => {
  const schema: readonly ConfigField[] = [
    { ...HOST, required: true },
    { key: 'mode', type: 'choice', choices: ['a', 'b'] },
    { key: 'constructor', type: 'json' },
    TOKEN,
  ];

  test('what fits it is stored', () => {
    const asked = { host: 'a', mode: 'b', constructor: [1] };
    expect(replace(storedOf({ schema }), asked).config).toBe('{"host":"a","mode":"b","constructor":[1]}');
  });

  const refused: readonly { name: string; asked: JsonObject; code: string; attr: string }[] = [
    {
      name: 'an entry that it does not know',
      asked: { host: 'a', port: 1 },
      code: 'invalid_input',
      attr: 'port',
    },
    {
      name: 'a key that objects have of their own',
      asked: parsed('{"host":"a","__proto__":1}'),
      code: 'invalid_input',
      attr: '__proto__',
    },
    { name: 'a value of another type', asked: { host: 1 }, code: 'invalid_input', attr: 'host' },
    { name: 'no null where a text belongs', asked: { host: null }, code: 'null', attr: 'host' },
    { name: 'a choice that is none', asked: { host: 'a', mode: 'c' }, code: 'invalid_input', attr: 'mode' },
    { name: 'nothing where something is required', asked: {}, code: 'required', attr: 'host' },
    { name: 'an empty text where something is required', asked: { host: '' }, code: 'blank', attr: 'host' },
    {
      name: 'a secret of another type',
      asked: { host: 'a', token: 5 },
      code: 'invalid_input',
      attr: 'token',
    },
  ];
  for (const { name, asked, code, attr } of refused) {
    test(`${name} is refused`, () => {
      expect(() => replace(storedOf({ schema }), asked)).toThrow(refusal(code, attr));
    });
  }

  test('the entries that it knows are told with the refusal', () => {
    expect(() => replace(storedOf({ schema: [HOST] }), { port: 1 })).toThrow('It knows: "host".');
  });

  test('what is no longer asked for is gone, defaults do not come back', () => {
    const stored = storedOf({
      schema: [HOST, { key: 'port', type: 'number', default: 1 }],
      config: '{"host":"a","port":2}',
    });
    expect(replace(stored, { host: 'b' }).config).toBe('{"host":"b"}');
  });
});

describe('a secret', () => {
  const box = backwardsBox();
  const sealed = box.seal('"geheim"');
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

  test('that is replaced is told so, by its masks', () => {
    const { secrets, changes } = replace(withToken, { token: 'neu' });
    expect(opened(secrets)).toEqual([['token', '"neu"']]);
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: MASK }]);
  });

  for (const asked of [{}, { token: MASK }, { token: 'geheim' }]) {
    test(`stays as it is, sealed once, when ${JSON.stringify(asked)} is asked for`, () => {
      const { config, secrets, changes } = replace(withToken, asked);
      expect(config).toBe('{"token":"********"}');
      expect(secrets.get('token')).toBe(sealed);
      expect(changes).toEqual([]);
    });
  }

  test('is cleared by an empty text', () => {
    const { config, secrets, changes } = replace(withToken, { token: '' });
    expect([config, secrets.size]).toEqual(['{}', 0]);
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: null }]);
  });

  test('that is not stored is not given by its mask, nor cleared by an empty text', () => {
    for (const token of [MASK, '']) {
      const { config, secrets, changes } = replace(without, { token });
      expect([config, secrets.size, changes]).toEqual(['{}', 0, []]);
    }
  });

  test('that is required may be kept, but neither left out nor cleared', () => {
    const required = [{ ...TOKEN, required: true }];
    expect(replace({ ...withToken, ...storedPlugin(required) }, {}).config).toBe('{"token":"********"}');
    for (const asked of [{}, { token: MASK }, { token: '' }]) {
      expect(() => replace(storedOf({ schema: required }), asked)).toThrow(refusal('required', 'token'));
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

  test('stays one when its plugin is no longer registered, or no longer calls it so', () => {
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

  test('counts by its own size when it is given, and by its mask when it is kept', () => {
    const room = LIMIT - '{"host":"","token":"********"}'.length;
    expect(utf8Length(replace(withToken, { host: 'x'.repeat(room) }).config)).toBe(LIMIT);
    expect(() => replace(withToken, { host: 'x'.repeat(room + 1) })).toThrow(refusal('too_large', null));
    expect(() => replace(without, { token: 'x'.repeat(LIMIT) })).toThrow(refusal('too_large', null));
  });

  test('may have the name of what objects have of their own', () => {
    const stored = storedOf({ schema: [{ key: '__proto__', type: 'string', secret: true }] });
    const { config, secrets } = replace(stored, parsed('{"__proto__":"geheim"}'));
    expect(config).toBe('{"__proto__":"********"}');
    expect(opened(secrets)).toEqual([['__proto__', '"geheim"']]);
  });

  test('is never in the configuration nor in the history, whatever is asked for and stored', () => {
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
          const asked = Object.fromEntries(
            Object.entries(request).filter(([key]) => secretKeys.includes(key)),
          );
          const { config, secrets, changes } = replace(stored, asked);
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

  test('starts with nothing where there are no defaults', () => {
    expect(seedConfiguration([], backwardsBox())).toEqual({ config: '{}', secrets: new Map() });
    expect(seedConfiguration([HOST, TOKEN], backwardsBox())).toEqual({ config: '{}', secrets: new Map() });
  });
});

describe('concealing', () => {
  test('seals what the schema calls secret and is still in the clear', () => {
    const stored = { config: '{"host":"a","token":"geheim"}', secrets: new Map() };
    const { config, secrets } = conceal(stored, [HOST, TOKEN], backwardsBox());
    expect(config).toBe('{"host":"a","token":"********"}');
    expect(opened(secrets)).toEqual([['token', '"geheim"']]);
  });

  test('leaves alone what is sealed already, empty, or no secret', () => {
    const sealed = { config: '{"token":"********"}', secrets: new Map([['token', 'sealed']]) };
    expect(conceal(sealed, [TOKEN], backwardsBox())).toBe(sealed);
    for (const config of ['{}', '{"token":""}', '{"token":null}', '{"host":"a","other":"b"}']) {
      const stored = { config, secrets: new Map<string, string>() };
      expect(conceal(stored, [HOST, TOKEN], backwardsBox())).toBe(stored);
    }
  });

  test('keeps the secrets that another plugin called so', () => {
    const stored = { config: '{"old":"********","token":"geheim"}', secrets: new Map([['old', 'sealed']]) };
    const { config, secrets } = conceal(stored, [TOKEN], backwardsBox());
    expect(config).toBe('{"old":"********","token":"********"}');
    expect([...secrets.keys()]).toEqual(['old', 'token']);
  });
});

test("for the plugin's own work, a configuration is opened whole", () => {
  const box = backwardsBox();
  const secrets: [string, string][] = [
    ['token', box.seal('"geheim"')],
    ['extra', box.seal('{"a":[1]}')],
  ];
  const stored = storedOf({ config: '{"host":"a","token":"********","extra":"********"}', secrets });
  expect(openConfiguration(stored, box)).toEqual({ host: 'a', token: 'geheim', extra: { a: [1] } });
});

interface Given {
  readonly config?: string;
  readonly secrets?: readonly (readonly [string, string])[];
  readonly schema?: readonly ConfigField[];
}

function storedOf({ config = '{}', secrets = [], schema }: Given): StoredConfiguration {
  return { record: aConfigRecord({ config }), secrets: new Map(secrets), ...storedPlugin(schema) };
}

function storedPlugin(configSchema?: readonly ConfigField[]): Pick<StoredConfiguration, 'plugin'> {
  return { plugin: configSchema === undefined ? null : { id: 7, name: 'Plugin', configSchema } };
}

function replace(stored: StoredConfiguration, asked: JsonObject): ReturnType<typeof replaceConfiguration> {
  return replaceConfiguration(stored, asked, backwardsBox());
}

function opened(secrets: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...secrets].map(([key, sealed]) => [key, backwardsBox().open(sealed)]);
}

function parsed(text: string): JsonObject {
  const parse: (json: string) => JsonObject = JSON.parse;
  return parse(text);
}

function refusal(code: string, attr: string | null): unknown {
  return expect.objectContaining({ name: 'DomainError', code, attr });
}
