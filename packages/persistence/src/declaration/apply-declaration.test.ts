import {
  adoptRecords,
  applyDeclaration,
  exportDeclaration,
  exportManaged,
  makePlan,
  parseBase,
  planDeclaration,
  type ExportInput,
  type PlanInput,
  registerPlugin,
  registerVersion,
  setConfiguration,
  updateRecord,
  type Applied,
  type AppliedOrStale,
  type Author,
  type ConfigRecord,
  type Declaration,
  type ExportedDeclaration,
  type FamilyRef,
  type PlanReport,
  type Plugin,
  type PluginRef,
  type RecordChange,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aPlugin,
  aRecord,
  aVersion,
  historyOf,
  liveRecords,
  once,
  secondsLater,
  seededRandomness,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ actor: { keyId: 1, label: 'ci' }, at: secondsLater(60), requestId: 'apply' });
const GEOIP = aPlugin({
  id: 3,
  configSchema: [
    { key: 'database', type: 'string', default: 'country' },
    { key: 'limit', type: 'number' },
    { key: 'rules', type: 'json' },
    { key: 'token', type: 'string', secret: true },
  ],
});
const JSON_SECRET = aPlugin({ id: 5, configSchema: [{ key: 'token', type: 'json', secret: true }] });
const SECRETS = new Map([['TOKEN', 'hunter2']]);

const test = testWithPorts();

describe('applying a declaration', () => {
  test('records are created in the order of the document, with their configuration and owner', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const declaration = declare(
      {
        key: 'a',
        plugin: 3,
        enabled: true,
        name: 'A',
        config: { database: 'city', token: { $secret: 'TOKEN' } },
      },
      { key: 'b', plugin: 9 },
    );
    const applied = await apply(ports, family, declaration);
    expect(applied.summary).toEqual({ create: 2, update: 0, delete: 0, restore: 0, move: 0 });
    const [a, b] = await liveRecords(ports, family);
    expect(a).toMatchObject({
      order: 1,
      enabled: true,
      name: 'A',
      config: '{"database":"city","token":"********"}',
    });
    expect(b).toMatchObject({ order: 2, plugin: 9, enabled: false, name: null, config: '{}' });
    expect(applied.changes.map(({ key, id }) => [key, id])).toEqual([
      ['a', a?.id],
      ['b', b?.id],
    ]);
    const owned = await ports.managed.page(family.projectId, 'team', { limit: 10, offset: 0 });
    expect(owned.items).toMatchObject([
      { key: 'a', id: a?.id, manager: 'team' },
      { key: 'b', id: b?.id, manager: 'team' },
    ]);
  });

  test('each record gets one history entry for an apply, with its id and without secrets', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const created = await apply(ports, family, declare(withToken()));
    const changed = { ...withToken(), name: 'A', config: { limit: 2, token: { $secret: 'TOKEN' } } };
    const secrets = new Map([['TOKEN', 'other']]);
    const updated = await apply(ports, family, declare(changed), { secrets });
    const enabled = await apply(ports, family, declare({ ...changed, enabled: true, config: { limit: 3 } }));
    const [record] = await liveRecords(ports, family);
    const history = record === undefined ? [] : await historyOf(ports, record);
    expect(
      history.map(({ activity, applyId, changes }) => [activity, applyId, changes.map(({ field }) => field)]),
    ).toEqual([
      ['enabled', enabled.applyId, ['enabled', 'config.limit']],
      ['config_updated', updated.applyId, ['name', 'config.token', 'config.limit']],
      ['created', created.applyId, ['plugin', 'enabled', 'order', 'deleted', 'config.token']],
    ]);
    expect(JSON.stringify(history)).not.toMatch(/hunter2|other/);
  });

  test('after an apply, the plan is empty, no matter how the document is written', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    await apply(
      ports,
      family,
      declare({
        ...withToken(),
        name: null,
        config: {
          rules: { a: [1, { b: 2, c: 3 }], d: null },
          limit: 10,
          database: 'country',
          token: { $secret: 'TOKEN' },
        },
      }),
    );
    const again = declare({
      ...withToken(),
      config: {
        token: { $secret: 'TOKEN' },
        limit: 1e1,
        rules: { d: null, a: [1.0, { c: 3, b: 2 }] },
        database: 'country',
      },
    });
    expect(await plan(ports, family, again)).toMatchObject({ changes: [], conflicts: [], warnings: [] });
    const withoutSecret = await plan(ports, family, again, new Map());
    expect(withoutSecret.changes).toEqual([]);
  });

  test('an entry that is declared with its default is stored, and stays when the default changes', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const declared = (config: Declared['config']) => declare({ key: 'a', plugin: 3, config });
    await apply(ports, family, declared({}));
    const set = await plan(ports, family, declared({ database: 'country' }));
    expect(set.changes).toMatchObject([
      { action: 'update', fields: [{ field: 'config.database', before: null, after: 'country' }] },
    ]);
    await apply(ports, family, declared({ database: 'country' }));
    expect((await plan(ports, family, declared({ database: 'country' }))).changes).toEqual([]);
    expect((await exported(ports, family)).plugin_configs).toMatchObject([
      { config: { database: 'country' } },
    ]);
    await register(ports, { ...GEOIP, configSchema: [{ key: 'database', type: 'string', default: 'city' }] });
    expect(await liveRecords(ports, family)).toMatchObject([{ config: '{"database":"country"}' }]);
    await apply(ports, family, declared({ database: null }));
    expect(await liveRecords(ports, family)).toMatchObject([{ config: '{"database":"city"}' }]);
    expect((await exported(ports, family)).plugin_configs?.[0]?.config).toBeUndefined();
  });

  test('a plan only shows the state of secrets', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const stateOf = async (
      token: string | null,
      declared: { $secret: string } | null = { $secret: 'TOKEN' },
    ) => {
      const values = token === null ? new Map() : new Map([['TOKEN', token]]);
      const record = { key: 'a', plugin: 3, enabled: true, config: { token: declared } };
      const report = await plan(ports, family, declare(record), values);
      expect(JSON.stringify(report)).not.toMatch(/hunter2|other/);
      return report.changes.flatMap(({ fields }) => fields).find(({ field }) => field === 'config.token');
    };
    expect(await stateOf(null)).toEqual({ field: 'config.token', secret: 'unknown' });
    expect(await stateOf('hunter2')).toEqual({ field: 'config.token', secret: 'set' });
    await apply(ports, family, declare(withToken()));
    expect(await stateOf('hunter2')).toEqual({ field: 'config.token', secret: 'unchanged' });
    expect(await stateOf('other')).toEqual({ field: 'config.token', secret: 'changed' });
    expect(await stateOf(null, null)).toEqual({ field: 'config.token', secret: 'cleared' });
  });

  test('a secret that would lose digits, clear or mask a value, or is nested too deeply is rejected', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, JSON_SECRET);
    const document = declare({ key: 'a', plugin: 5, config: { token: { $secret: 'TOKEN' } } });
    const planned = async (token: string) => plan(ports, family, document, new Map([['TOKEN', token]]));
    for (const token of [
      '9007199254740993',
      '{"a":1e400}',
      '""',
      '"********"',
      'null',
      '{',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ]) {
      await expect(planned(token)).rejects.toMatchObject({
        code: 'invalid_input',
        attr: 'plugin_configs[0].config.token',
        cause: undefined,
      });
    }
    expect((await planned('{"a":9007199254740992}')).changes).toHaveLength(1);
  });

  test('a record that refers to a secret can be moved', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const [a, b] = [withToken(), { ...withToken(), key: 'b' }];
    await apply(ports, family, declare(a, b));
    const { summary } = await apply(ports, family, declare(b, a));
    expect(summary).toMatchObject({ update: 0 });
    expect(summary.move).toBeGreaterThan(0);
  });

  test('long keys and entries are exported with secret names that are valid in a document', async (ports) => {
    const family = await aFamily(ports);
    const [key, entry] = ['k'.repeat(100), 'e'.repeat(200)];
    await register(ports, aPlugin({ id: 6, configSchema: [{ key: entry, type: 'string', secret: true }] }));
    await apply(ports, family, declare({ key, plugin: 6, config: { [entry]: { $secret: 'TOKEN' } } }));
    const document = await exported(ports, family);
    expect((await plan(ports, family, document)).changes).toEqual([]);
  });

  test('a reference without a value or a stored secret is rejected without any change', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    await expect(apply(ports, family, declare(withToken()), { secrets: new Map() })).rejects.toMatchObject({
      code: 'required',
      attr: 'plugin_configs[0].config.token',
    });
    expect(await liveRecords(ports, family)).toEqual([]);
  });

  test('invalid parts of a document are rejected with their position', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const rejections: readonly (readonly [Declaration, string, string])[] = [
      [declare({ key: 'a', plugin: 3, config: { token: 'clear' } }), 'invalid_input', '[0].config.token'],
      [
        declare({ key: 'a', plugin: 3, config: { limit: { $secret: 'X' } } }),
        'invalid_input',
        '[0].config.limit',
      ],
      [declare({ key: 'a', plugin: 3, config: { limit: 'x' } }), 'invalid_input', '[0].config.limit'],
      [declare({ key: 'a', plugin: 3, config: { other: 1 } }), 'invalid_input', '[0].config.other'],
      [
        declare({ key: 'a', plugin: 3, config: { rules: [{ $secret: 'X' }] } }),
        'invalid_input',
        '[0].config.rules',
      ],
      [declare({ key: 'a', plugin: 3 }, { key: 'a', plugin: 3 }), 'invalid_input', '[1].key'],
    ];
    for (const [declaration, code, attr] of rejections) {
      const rejected = plan(ports, family, declaration);
      await expect(rejected).rejects.toMatchObject({ code, attr: `plugin_configs${attr}` });
    }
  });

  test('absent fields and families are not managed, and null clears', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const pipeline = [{ key: 'p', plugin: 9 }];
    await apply(ports, family, {
      ...declare({
        key: 'a',
        plugin: 3,
        enabled: true,
        name: 'A',
        description: 'D',
        config: { limit: 1, rules: [] },
      }),
      pipeline_transformation_configs: pipeline,
    });
    await apply(ports, family, declare({ key: 'a', plugin: 3, name: null, config: { limit: null } }));
    const [record] = await liveRecords(ports, family);
    expect(record).toMatchObject({
      enabled: true,
      name: null,
      description: 'D',
      config: '{"rules":[],"database":"country"}',
    });
    const others = { ...family, family: 'pipeline_transformation_configs' } as const;
    expect(await liveRecords(ports, others)).toHaveLength(1);
    await apply(ports, family, { manager: 'team', pipeline_transformation_configs: [] }, { maxDeletes: 1 });
    expect(await liveRecords(ports, others)).toEqual([]);
    expect(await liveRecords(ports, family)).toHaveLength(1);
  });

  test('records are soft-deleted up to the prune limit, and restored by their key', async (ports) => {
    const family = await aFamily(ports);
    const both = declare({ key: 'a', plugin: 1, enabled: true }, { key: 'b', plugin: 2, enabled: true });
    await apply(ports, family, both);
    const before = await liveRecords(ports, family);
    const less = declare({ key: 'b', plugin: 2 });
    await expect(apply(ports, family, less)).rejects.toMatchObject({
      code: 'too_many_deletes',
      attr: 'max_deletes',
    });
    expect(await liveRecords(ports, family)).toEqual(before);
    expect((await apply(ports, family, less, { maxDeletes: 1 })).summary).toMatchObject({ delete: 1 });
    expect(await liveRecords(ports, family)).toMatchObject([{ plugin: 2 }]);
    const restored = await apply(ports, family, both);
    expect(restored.summary).toMatchObject({ restore: 1, create: 0 });
    expect((await liveRecords(ports, family)).map(({ id, order, enabled }) => [id, order, enabled])).toEqual(
      before.map(({ id, order, enabled }) => [id, order, enabled]),
    );
  });

  test('a protected record is not deleted until the document allows it', async (ports) => {
    const family = await aFamily(ports);
    await apply(ports, family, declare({ key: 'a', plugin: 1, prevent_destroy: true }));
    const none = declare();
    expect((await plan(ports, family, none)).conflicts).toMatchObject([{ key: 'a', manager: 'team' }]);
    const rejected = apply(ports, family, none, { maxDeletes: 1 });
    await expect(rejected).rejects.toMatchObject({ code: 'prevent_destroy' });
    await apply(ports, family, declare({ key: 'a', plugin: 1, prevent_destroy: false }));
    await apply(ports, family, none, { maxDeletes: 1 });
    expect(await liveRecords(ports, family)).toEqual([]);
  });

  test('a plan is stale if a record changes before the apply, and the rejection lists exactly these changes', async (ports) => {
    const family = await aFamily(ports);
    const declaration = declare({ key: 'a', plugin: 1 });
    await apply(ports, family, declaration);
    const [owned] = await liveRecords(ports, family);
    if (owned === undefined) throw new Error('No record was created.');
    const other = await aRecord(ports, family, { plugin: 2 });
    const next = declare({ key: 'a', plugin: 1, name: 'New' });
    const { base } = await plan(ports, family, next);
    await edit(ports, owned, { description: 'By hand' });
    await edit(ports, other, { name: 'Renamed' });
    await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' });
    const outcome = await attempt(ports, family, next, { base });
    expect(outcome).toMatchObject({
      kind: 'stale',
      changed: [
        { id: owned.id, key: 'a', fields: ['description'], actor: { label: 'operator' } },
        { id: other.id, key: null, fields: ['name'] },
      ],
    });
    expect((await ports.records.find(owned)).value).toMatchObject({
      name: owned.name,
      description: 'By hand',
    });
  });

  test('a plan stays valid while plugins report and another family changes', async (ports) => {
    const family = await aFamily(ports);
    const declaration = declare({ key: 'a', plugin: 1 });
    const { base } = await plan(ports, family, declaration);
    await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' });
    expect(await attempt(ports, family, declaration, { base })).toMatchObject({ kind: 'applied' });
  });

  test('a plan is stale if a plugin is registered again, or a record adopted', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    const record = await aRecord(ports, family, { plugin: 1 });
    const declaration = declare({ key: 'a', plugin: 3 });
    const outcomeAfter = async (change: () => Promise<unknown>): Promise<AppliedOrStale> => {
      const { base } = await plan(ports, family, declaration);
      await change();
      return attempt(ports, family, declaration, { base });
    };
    const { projectId } = family;
    const adopted = { projectId, manager: 'other', records: [{ ...record, key: 'a' }] };
    expect(await outcomeAfter(() => register(ports, { ...GEOIP, name: 'Again' }))).toMatchObject({
      kind: 'stale',
      message: expect.stringContaining('plugin'),
      changed: [],
    });
    expect(await outcomeAfter(() => adoptRecords(ports, adopted))).toMatchObject({
      kind: 'stale',
      message: expect.stringContaining('adopted'),
      changed: [],
    });
    expect(await liveRecords(ports, family)).toHaveLength(1);
    expect(await outcomeAfter(() => register(ports, aPlugin({ id: 99 })))).toMatchObject({ kind: 'applied' });
  });

  test('adopting a record under a new key keeps its identity', async (ports) => {
    const family = await aFamily(ports);
    const { projectId } = family;
    await apply(ports, family, declare({ key: 'old', plugin: 1, prevent_destroy: true }));
    const [before] = await liveRecords(ports, family);
    if (before === undefined) throw new Error('No record was created.');
    const records = [{ family: family.family, id: before.id, key: 'new' }];
    await adoptRecords(ports, { projectId, manager: 'team', records });
    expect(await liveRecords(ports, family)).toEqual([before]);
    expect((await plan(ports, family, declare({ key: 'new', plugin: 1 }))).changes).toEqual([]);
    expect((await plan(ports, family, declare())).conflicts).toMatchObject([{ key: 'new' }]);
  });

  test('values that a document cannot contain are stored in records, and left out of an export', async (ports) => {
    const family = await aFamily(ports);
    await register(ports, GEOIP);
    await apply(ports, family, declare({ key: 'a', plugin: 3, config: { limit: 1 } }));
    const [record] = await liveRecords(ports, family);
    if (record === undefined) throw new Error('No record was created.');
    const newConfig = { limit: 1, rules: [{ $secret: 'TOKEN' }] };
    await setConfiguration(ports, { record, precondition: null, newConfig, author: AUTHOR });
    const document = await exported(ports, family);
    expect(document).toMatchObject({
      plugin_configs: [{ config: { limit: 1 } }],
      warnings: [{ attr: 'plugin_configs[0].config', detail: expect.stringContaining('"rules"') }],
    });
    expect((await plan(ports, family, document)).changes).toEqual([]);
  });

  test('a repeated apply gets the first response and changes nothing', async (ports) => {
    const family = await aFamily(ports);
    const declaration = declare({ key: 'a', plugin: 1 });
    const { base } = await plan(ports, family, declaration);
    const send = (digest: string) =>
      once({ name: 'once', digest }, (key) =>
        attempt(ports, family, declaration, { base, author: { ...AUTHOR, once: key } }),
      );
    const first = await send('body');
    expect(first).toMatchObject({ value: { kind: 'applied' }, isFirst: true });
    expect(await send('other')).toEqual({ ...first, isFirst: false });
    expect(await liveRecords(ports, family)).toHaveLength(1);
  });

  test('edits since the apply are drift until the next apply', async (ports) => {
    const family = await aFamily(ports);
    const declaration = declare({ key: 'a', plugin: 1, name: 'A' }, { key: 'b', plugin: 2 });
    await apply(ports, family, declaration);
    const drift = () => ports.managed.drift(family.projectId, 'team');
    expect(await drift()).toEqual([]);
    const [a] = await liveRecords(ports, family);
    if (a === undefined) throw new Error('No record was created.');
    await edit(ports, a, { name: 'By hand' });
    expect(await drift()).toMatchObject([
      { family: family.family, id: a.id, key: 'a', fields: ['name'], actor: { label: 'operator' } },
    ]);
    await apply(ports, family, declaration);
    expect(await drift()).toEqual([]);
  });

  test('a record deleted by hand is not drift once a document without it has been applied', async (ports) => {
    const family = await aFamily(ports);
    await apply(ports, family, declare({ key: 'a', plugin: 1 }, { key: 'b', plugin: 2 }));
    const drift = async () =>
      (await ports.managed.drift(family.projectId, 'team')).map(({ key, fields }) => [key, fields]);
    const [a] = await liveRecords(ports, family);
    if (a === undefined) throw new Error('No record was created.');
    await edit(ports, a, { deleted: true });
    expect(await drift()).toEqual([['a', ['deleted']]]);
    const { changes } = await apply(ports, family, declare({ key: 'b', plugin: 2 }));
    expect(changes).toEqual([]);
    expect(await drift()).toEqual([]);
    // The record is still owned, and is restored by its key.
    const { summary } = await apply(ports, family, declare({ key: 'a', plugin: 1 }, { key: 'b', plugin: 2 }));
    expect(summary).toMatchObject({ restore: 1, create: 0 });
  });

  test('records are created, pinned and exported by their versions', async (ports) => {
    const [family, empty] = [await aFamily(ports), await aFamily(ports)];
    await register(ports, aPlugin({ id: 3 }));
    const first = aVersion({ version: '1', configSchema: [{ key: 'server', type: 'string' }] });
    await registerVersion(ports, 3, first, anAuthor());
    const migrations = [{ from: 1, steps: [{ rename: { from: 'server', to: 'host' } }] }];
    const schema = { schemaVersion: 2, configSchema: [{ key: 'host', type: 'string' }] } as const;
    await registerVersion(ports, 3, aVersion({ version: '2', ...schema, migrations }), anAuthor());
    await ports.pluginVersions.change(3, '2', { state: 'current' }, anAuthor());

    const old = { key: 'a', plugin: 3, enabled: true, plugin_version: '1', config: { server: 'x' } };
    const current = { key: 'b', plugin: 3, config: { host: 'y' } };
    await apply(ports, family, declare(old, current));
    const created = await liveRecords(ports, family);
    expect(created).toMatchObject([
      { schemaVersion: 1, pinnedVersion: '1', config: '{"server":"x"}' },
      { schemaVersion: 2, pinnedVersion: null, config: '{"host":"y"}' },
    ]);
    expect(created[0]?.pluginInfo).toContain('"server"');
    const document = await exported(ports, family);
    expect(document).toEqual({ ...declare(old, current), pipeline_transformation_configs: [] });
    expect((await plan(ports, family, document)).changes).toEqual([]);
    await apply(ports, empty, document);
    expect(await exported(ports, empty)).toEqual(document);

    const pinned = { ...current, plugin_version: '2' };
    await apply(
      ports,
      family,
      declare({ ...old, plugin_version: '2', config: { server: null, host: 'x' } }, pinned),
    );
    const [a, b] = await liveRecords(ports, family);
    expect(a).toMatchObject({ schemaVersion: 2, pinnedVersion: '2', config: '{"host":"x"}' });
    expect(b).toMatchObject({ schemaVersion: 2, pinnedVersion: '2', version: 2, configVersion: 1 });
    const entries = a && b ? [await historyOf(ports, a), await historyOf(ports, b)] : [];
    expect(entries.map(([last]) => last?.changes.map(({ field }) => field))).toEqual([
      ['schema_version', 'plugin_version', 'config.server', 'config.host'],
      ['plugin_version'],
    ]);
    const revisions = a && (await ports.revisions.page(a, { limit: 10, offset: 0 }));
    expect(revisions?.items.map(({ schemaVersion }) => schemaVersion)).toEqual([2, 1]);
  });

  test('an export omits values that the current schema no longer accepts, and its plan is valid', async (ports) => {
    const [family, empty] = [await aFamily(ports), await aFamily(ports)];
    await register(ports, GEOIP);
    const config = { database: 'city', limit: 2, rules: [1], token: { $secret: 'TOKEN' } };
    await apply(ports, family, declare({ key: 'b', plugin: 9 }, { key: 'a', plugin: 3, config }));
    await register(ports, {
      ...GEOIP,
      configSchema: [
        { key: 'database', type: 'choice', choices: ['country'] },
        { key: 'limit', type: 'number' },
      ],
    });
    const document = await exported(ports, family);
    expect(document).toMatchObject({
      plugin_configs: [{ key: 'b' }, { key: 'a', config: { limit: 2 } }],
      warnings: [
        {
          attr: 'plugin_configs[1].config',
          detail: expect.stringContaining('"database", "rules", "token"'),
        },
      ],
    });
    expect((await plan(ports, family, document)).changes).toEqual([]);
    await apply(ports, empty, document);
    const { warnings: _, ...without } = document;
    expect(await exported(ports, empty)).toEqual(without);
  });
});

function edit(
  ports: Pick<Ports, 'records' | 'plugins' | 'configurationValues'>,
  record: ConfigRecord,
  change: RecordChange,
): Promise<ConfigRecord> {
  const dependencies = { ...ports, requireRegistered: false };
  return updateRecord(dependencies, { record, precondition: null, change, author: anAuthor() });
}

type Declared = NonNullable<Declaration['plugin_configs']>[number];

function declare(...records: readonly Declared[]): Declaration {
  return { manager: 'team', plugin_configs: records };
}

function withToken(): Declared {
  return { key: 'a', plugin: 3, config: { token: { $secret: 'TOKEN' } } };
}

function dependenciesOn({
  managed,
  plugins,
  jsonSchemas,
}: Pick<Ports, 'managed' | 'plugins' | 'jsonSchemas'>) {
  return {
    managed,
    plugins,
    requireRegistered: false,
    plan: (input: PlanInput) => planDeclaration({ jsonSchemas }, input),
    exportState: (input: ExportInput) => exportDeclaration({ jsonSchemas }, input),
    uuid: seededRandomness().uuid,
  };
}

async function plan(
  ports: Ports,
  { projectId }: FamilyRef,
  declaration: Declaration<PluginRef>,
  secrets: ReadonlyMap<string, string> = SECRETS,
): Promise<PlanReport> {
  return (await makePlan(dependenciesOn(ports), { projectId, declaration, secrets })).report;
}

interface Options {
  readonly base: string;
  readonly secrets: ReadonlyMap<string, string>;
  readonly maxDeletes: number;
  readonly author: Author;
}

function attempt(
  ports: Ports,
  { projectId }: FamilyRef,
  declaration: Declaration<PluginRef>,
  { base = '', secrets = SECRETS, maxDeletes = 0, author = AUTHOR }: Partial<Options>,
): Promise<AppliedOrStale> {
  const command = { projectId, declaration, secrets, base: parseBase(base), maxDeletes, author };
  return applyDeclaration(dependenciesOn(ports), command);
}

async function apply(
  ports: Ports,
  family: FamilyRef,
  declaration: Declaration<PluginRef>,
  options: Partial<Options> = {},
): Promise<Applied> {
  const { base } = await plan(ports, family, declaration, options.secrets);
  const outcome = await attempt(ports, family, declaration, { ...options, base });
  if (outcome.kind === 'stale') throw new Error(outcome.message);
  return outcome.value;
}

function exported(ports: Ports, { projectId }: FamilyRef): Promise<ExportedDeclaration> {
  return exportManaged(dependenciesOn(ports), { projectId, manager: 'team' });
}

async function register(ports: Ports, plugin: Plugin): Promise<void> {
  await registerPlugin(ports, plugin, anAuthor());
}
