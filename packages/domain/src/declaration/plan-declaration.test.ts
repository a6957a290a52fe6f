import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TYPE_SCHEMAS } from '../configuration/configuration.fixture.ts';
import { defaultsOf, NO_VALUES } from '../configuration/configuration.ts';
import { patchedConfiguration } from '../configuration/replace-configuration.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { NOT_REGISTERED, type Registration } from '../plugin/plugin.ts';
import { aConfigRecord } from '../record/config-record.fixture.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import { decideUpdate } from '../record/update-record.ts';
import type { DeclaredRecord } from './declaration.ts';
import { pinKey, type ManagedState, type OwnedRecord, type PinnedVersion } from './managed-records.ts';
import { exportDeclaration } from './export-declaration.ts';
import { planDeclaration, type Plan } from './plan-declaration.ts';

const DEPENDENCIES = { jsonSchemas: TYPE_SCHEMAS };
const MIB = 1024 * 1024;
const AUTHOR = { actor: { keyId: 1, label: 'ci' }, requestId: null, at: new Date(0) };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const NONE = { listVersion: 1, entry: 0 };

/** The state of a project with these records in one family. */
function stateWith(
  plugins: ManagedState['plugins'] = new Map(),
  owned: readonly OwnedRecord[] = [],
  versions: ManagedState['versions'] = new Map(),
): ManagedState {
  const family = { live: [], owned: [] };
  return {
    base: {
      families: { plugin_configs: NONE, pipeline_transformation_configs: NONE },
      plugins: 0,
    },
    families: { plugin_configs: { live: [], owned }, pipeline_transformation_configs: family },
    plugins,
    versions,
  };
}

function plan(
  records: readonly DeclaredRecord[],
  {
    state = stateWith(),
    secrets = {},
  }: { state?: ManagedState; secrets?: Readonly<Record<string, string>> } = {},
): Plan {
  return planDeclaration(DEPENDENCIES, {
    declaration: { manager: 'team', plugin_configs: records },
    state,
    secrets: new Map(Object.entries(secrets)),
    mayHoldSecrets: false,
    requireRegistered: false,
  });
}

function registered(id: number, configSchema: readonly ConfigField[]): Registration {
  const secrets = configSchema.filter(({ secret }) => secret === true);
  return {
    plugin: { id, name: 'One', configSchema },
    registryVersion: 1,
    version: '0',
    schemaVersion: 1,
    secretNames: new Set(secrets.map(({ key }) => key)),
    defaults: defaultsOf(configSchema, NO_VALUES),
  };
}

/** A record under the key `a`, attached to plugin 7. */
function anOwnedRecord(given: Partial<ConfigRecord>, values: JsonObject = {}): OwnedRecord {
  return {
    key: 'a',
    preventDestroy: false,
    isAsApplied: true,
    record: aConfigRecord(given),
    secretNames: new Set(),
    values: JSON.stringify(values),
  };
}

/** Returns the rejection of a plan; null if there is none. */
function rejectionOf(decide: () => unknown): DomainError | null {
  try {
    decide();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const copies = (count: number, config: JsonObject): readonly DeclaredRecord[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, plugin: 7, config }));

test('a secret that is sent once cannot fill more configurations than a manager may own', () => {
  const state = stateWith(new Map([[7, registered(7, [TOKEN])]]));
  for (const text of ['x'.repeat(MIB / 4 - 100), 'ä'.repeat(MIB / 8 - 100)]) {
    const secrets = { TOKEN: text };
    const planOf = (count: number) =>
      plan(copies(count, { token: { $secret: 'TOKEN' } }), { state, secrets });
    expect(planOf(25).report.summary.create).toBe(25);
    expect(() => planOf(50)).toThrow('A plan is limited to');
  }
});

describe('the default of a secret cannot be guessed', () => {
  const DEFAULT = 'hunter2';
  const STORED = 'hunter3';
  const state = (values: JsonObject | null) =>
    stateWith(
      new Map([[7, registered(7, [{ ...TOKEN, default: DEFAULT }])]]),
      values === null ? [] : [anOwnedRecord({}, values)],
    );
  const tokenIn = (
    values: JsonObject | null,
    sent: string | null,
    token: Json = { $secret: 'TOKEN' },
  ): unknown => {
    const records = [{ key: 'a', plugin: 7, config: { token } }];
    const { changes } = plan(records, {
      state: state(values),
      secrets: sent === null ? {} : { TOKEN: sent },
    }).report;
    return changes.flatMap(({ fields }) => fields).find(({ field }) => field === 'config.token');
  };
  const field = 'config.token';

  test.for([null, {}, { token: '' }])('a guess is set, whether it is right or wrong: %j', (values) => {
    for (const guess of [DEFAULT, 'wrong']) expect(tokenIn(values, guess)).toEqual({ field, secret: 'set' });
    expect(tokenIn(values, null)).toEqual({ field, secret: 'unknown' });
    expect(tokenIn(values, null, null)).toBeUndefined();
  });

  test('a stored secret is compared and cleared as if there were no default', () => {
    for (const token of [STORED, DEFAULT]) {
      for (const guess of [DEFAULT, 'wrong', STORED])
        expect(tokenIn({ token }, guess)).toEqual(guess === token ? undefined : { field, secret: 'changed' });
      expect(tokenIn({ token }, null, null)).toEqual({ field, secret: 'cleared' });
    }
  });
});

test('the value of an entry that runtimes may write is only an initial one', () => {
  const WRITABLE: ConfigField = { ...TOKEN, runtimeWritable: true };
  const fieldsOf = (stored: JsonObject, token: Json): unknown =>
    plan([{ key: 'a', plugin: 7, config: { token } }], {
      state: stateWith(new Map([[7, registered(7, [WRITABLE])]]), [anOwnedRecord({}, stored)]),
      secrets: { TOKEN: 'hunter2' },
    }).report.changes.flatMap(({ fields }) => fields);
  const [secret, reference] = [{ $secret: 'TOKEN' }, { $ref: 'env://TOKEN' }];
  const field = 'config.token';
  for (const declared of [secret, reference]) expect(fieldsOf({ token: 'hunter3' }, declared)).toEqual([]);
  for (const stored of [{}, { token: '' }, { token: reference }])
    expect(fieldsOf(stored, secret)).toEqual([{ field, secret: 'set' }]);
  expect(fieldsOf({ token: 'hunter3' }, null)).toEqual([{ field, secret: 'cleared' }]);
});

describe('a record that a document enables is valid', () => {
  const LEVEL: ConfigField = { key: 'level', type: 'choice', choices: ['high', 'low'], required: true };
  const LIMIT: ConfigField = { key: 'limit', type: 'number' };
  const SECRET: ConfigField = { ...TOKEN, required: true };
  const PLUGINS = new Map([
    [7, registered(7, [LEVEL, LIMIT])],
    [8, registered(8, [])],
    [9, registered(9, [SECRET, LIMIT])],
  ]);
  const A = { key: 'a', plugin: 7 };
  const errorsOf = (record: DeclaredRecord, stored: OwnedRecord | null = null) => {
    const state = stateWith(PLUGINS, stored === null ? [] : [stored]);
    const error = rejectionOf(() => plan([{ key: 'first', plugin: 5 }, record], { state }));
    return error && (error.errors ?? [error]).map(({ code, attr }) => [code, attr]);
  };

  test('a new record lacks no required entry, unless it is disabled', () => {
    const missing = [['required', 'plugin_configs[1].config.level']];
    expect(errorsOf({ ...A, enabled: true })).toEqual(missing);
    expect(errorsOf({ ...A, enabled: true, config: {} })).toEqual(missing);
    expect(errorsOf({ ...A, enabled: true, config: { level: 'low' } })).toBeNull();
    expect(errorsOf(A)).toBeNull();
  });

  test('a stored record is checked with the entries that the document keeps', () => {
    const outdated = anOwnedRecord({}, { level: 'middle', limit: 1, old: true });
    const enabled = { ...A, enabled: true };
    expect(errorsOf(enabled, outdated)).toEqual([
      ['invalid_input', 'plugin_configs[1].config.level'],
      ['invalid_input', 'plugin_configs[1].config.old'],
    ]);
    expect(errorsOf({ ...enabled, config: { level: 'low' } }, outdated)).toEqual([
      ['invalid_input', 'plugin_configs[1].config.old'],
    ]);
    expect(errorsOf({ ...enabled, config: { level: 'low', old: null } }, outdated)).toBeNull();
    expect(errorsOf(enabled, anOwnedRecord({}, { level: 'low' }))).toBeNull();
  });

  test('an enabled record is checked when it is attached to another plugin or configured, but not otherwise', () => {
    const enabled = anOwnedRecord({ plugin: 8, enabled: true });
    expect(errorsOf(A, enabled)).toEqual([['required', 'plugin_configs[1].config.level']]);
    const outdated = anOwnedRecord({ enabled: true }, { old: true });
    expect(errorsOf({ ...A, enabled: true, name: 'New' }, outdated)).toBeNull();
    expect(errorsOf({ ...A, config: { limit: null } }, outdated)).toBeNull();
    expect(errorsOf({ ...A, config: { level: 'low' } }, outdated)).toEqual([
      ['invalid_input', 'plugin_configs[1].config.old'],
    ]);
    expect(errorsOf({ key: 'a', plugin: 6 }, outdated)).toBeNull();
  });

  test('a plan without the value of a secret only checks the other entries', () => {
    const record = { key: 'a', plugin: 9, enabled: true };
    const config = { token: { $secret: 'TOKEN' } };
    expect(errorsOf({ ...record, config })).toBeNull();
    expect(errorsOf({ ...record, config: { ...config, limit: 'x' } })).toEqual([
      ['invalid_input', 'plugin_configs[1].config.limit'],
    ]);
    expect(errorsOf(record)).toEqual([['required', 'plugin_configs[1].config.token']]);
    expect(errorsOf({ ...record, config }, anOwnedRecord({ plugin: 9 }, { token: 'hunter2' }))).toBeNull();
  });

  const stored = fc.record(
    { level: fc.constantFrom('low', 'middle'), limit: fc.constantFrom(1, 'x'), old: fc.constant(true) },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  const given = fc.record(
    { level: fc.constantFrom('high', null), limit: fc.constantFrom(2, null), old: fc.constant(null) },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;

  test('a document may enable or attach a record exactly if an update may', () =>
    fc.assert(
      fc.asyncProperty(
        stored,
        given,
        fc.constantFrom([6, false], [6, true], [7, false], [8, true]),
        async (values, config, [plugin, enabled]) => {
          const before = anOwnedRecord({ plugin, enabled }, values);
          const registration = (id: number) => PLUGINS.get(id) ?? NOT_REGISTERED;
          const shown = { ...before.record, pluginInfo: PLUGINS.has(plugin) ? '{}' : null };
          const update = decideUpdate({ requireRegistered: false }, shown, {
            change: { plugin: 7, enabled: true },
            newConfig: (configured) => patchedConfiguration(configured, config),
            author: AUTHOR,
            registration: async (id) => registration(id),
            configured: async () => ({ ...before, ...registration(plugin), ...DEPENDENCIES, record: shown }),
          });
          const isRejected = await update.then(
            () => false,
            () => true,
          );
          expect(errorsOf({ ...A, enabled: true, config }, before) !== null).toBe(isRejected);
        },
      ),
    ));
});

describe('the version of a record', () => {
  const versionOf = (
    version: string,
    schemaVersion: number,
    key: string,
    state: PinnedVersion['state'] = 'supported',
  ) => {
    const registration = registered(7, [{ key, type: 'string', required: true }]);
    return { version, state, registration: { ...registration, version, schemaVersion } };
  };
  const [first, withdrawn, current] = [
    versionOf('1', 1, 'server'),
    versionOf('1.1', 1, 'server', 'withdrawn'),
    versionOf('2', 2, 'host', 'current'),
  ];
  const stateOf = (owned: OwnedRecord | null) =>
    stateWith(
      new Map([[7, current.registration]]),
      owned === null ? [] : [owned],
      new Map([first, withdrawn, current].map((each) => [pinKey({ ...each, plugin: 7 }), each])),
    );
  const old = (pinnedVersion: string | null) =>
    anOwnedRecord({ enabled: true, schemaVersion: 1, pinnedVersion }, { server: 'a' });
  const recent = (pinnedVersion: string | null) =>
    anOwnedRecord({ enabled: true, schemaVersion: 2, pinnedVersion }, { host: 'a' });
  const pinned = (before: string | null, after: string | null) => ({
    field: 'plugin_version',
    before,
    after,
  });
  const moved = { field: 'schema_version', before: 1, after: 2 };
  const config = { server: null, host: 'b' };
  const entries = [
    { field: 'config.host', before: null, after: 'b' },
    { field: 'config.server', before: 'a', after: null },
  ];

  test.for<[string, OwnedRecord, Partial<DeclaredRecord>, readonly object[]]>([
    ['a pin that is not named stays', old('1'), {}, []],
    ['a pin that is named stays', old('1'), { plugin_version: '1', config: { server: 'a' } }, []],
    ['a withdrawn version that is already named stays', old('1.1'), { plugin_version: '1.1' }, []],
    ['a record is pinned', old(null), { plugin_version: '1' }, [pinned(null, '1')]],
    ['a record is unpinned and keeps its schema', old('1'), { plugin_version: null }, [pinned('1', null)]],
    [
      'a changed configuration has the current schema',
      old('1'),
      { config },
      [moved, pinned('1', null), ...entries],
    ],
    [
      'a changed configuration has the schema of the pinned version',
      old('1'),
      { plugin_version: '2', config },
      [moved, pinned('1', '2'), ...entries],
    ],
    [
      'a pin with the current schema stays',
      recent('2'),
      { config: { host: 'b' } },
      [{ field: 'config.host', before: 'a', after: 'b' }],
    ],
  ])('%s', ([, owned, declared, fields]) => {
    const { report, records } = plan([{ key: 'a', plugin: 7, ...declared }], { state: stateOf(owned) });
    const ofVersions = report.changes.flatMap((change) => change.fields);
    expect(ofVersions.filter(({ field }) => field !== 'order')).toEqual(fields);
    if (declared.config !== config) return;
    expect(records[0]?.configuration?.changes).toEqual(expect.arrayContaining([...fields]));
    expect(records[0]?.after).toMatchObject({
      schemaVersion: 2,
      pinnedVersion: declared.plugin_version ?? null,
    });
  });

  test('a new record is pinned, and has the schema of its version', () => {
    const record = { key: 'a', plugin: 7, enabled: true, plugin_version: '1', config: { server: 'a' } };
    const { report, records } = plan([record], { state: stateOf(null) });
    expect(report.changes[0]?.fields).toContainEqual(pinned(null, '1'));
    expect(records[0]?.after).toMatchObject({ pinnedVersion: '1' });
  });

  test('a record that moves to another schema without a new configuration gets a revision', () => {
    const owned = anOwnedRecord({ schemaVersion: 1 }, { server: 'a' });
    const { records } = plan([{ key: 'a', plugin: 7, plugin_version: '2' }], { state: stateOf(owned) });
    expect(records[0]?.configuration).toMatchObject({
      isSame: true,
      changes: expect.arrayContaining([moved, pinned(null, '2')]),
    });
  });

  test.for<[string, OwnedRecord | null, Partial<DeclaredRecord>, string, string]>([
    ['is unknown', old(null), { plugin_version: '3' }, 'does_not_exist', 'plugin_version'],
    ['is withdrawn', old(null), { plugin_version: '1.1' }, 'invalid_input', 'plugin_version'],
    ['is withdrawn, for a new record', null, { plugin_version: '1.1' }, 'invalid_input', 'plugin_version'],
    [
      'rejects the stored configuration',
      recent(null),
      { plugin_version: '1' },
      'invalid_input',
      'config.host',
    ],
    [
      'rejects an entry',
      old('1'),
      { plugin_version: '1', config: { host: 'a' } },
      'invalid_input',
      'config.host',
    ],
  ])('a version is rejected that %s', ([, owned, declared, code, attr]) => {
    const error = rejectionOf(() => plan([{ key: 'a', plugin: 7, ...declared }], { state: stateOf(owned) }));
    expect(error).toMatchObject({ code, attr: `plugin_configs[0].${attr}` });
  });

  test('an export names the version of a pinned record, and has the entries of its schema', () => {
    const exportOf = (owned: OwnedRecord) =>
      exportDeclaration(DEPENDENCIES, { manager: 'team', state: stateOf(owned) });
    const { plugin_configs: exported = [], warnings } = exportOf(old('1'));
    expect(exported).toMatchObject([{ plugin_version: '1', config: { server: 'a' } }]);
    expect(warnings).toBeUndefined();
    expect(exportOf(recent(null)).plugin_configs?.[0]).not.toHaveProperty('plugin_version');
  });
});
