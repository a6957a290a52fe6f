import { expect, test } from 'vitest';
import { TYPE_SCHEMAS } from '../configuration/configuration.fixture.ts';
import { NOT_REGISTERED } from '../plugin/plugin.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import type { MigrationStep } from './migration-step.ts';
import type { TargetVersion } from './plugin-version.ts';

const FAMILY = { projectId: 7, family: 'plugin_configs' } as const;
const BEHIND = {
  instance: 'shop-1',
  family: FAMILY.family,
  projectIds: [],
  shard: { index: 0, of: 1 },
  schemas: [1],
};

/** A version that requires a host and has a token, with these steps from schema version 1. */
const targetWith = (steps: readonly MigrationStep[]): TargetVersion => ({
  version: '2',
  schemaVersion: 2,
  state: 'current',
  migrations: [{ migrations: [{ from: 1, steps }] }],
  registration: {
    ...NOT_REGISTERED,
    plugin: {
      id: 8,
      name: 'Mailer',
      configSchema: [
        { key: 'host', type: 'string', required: true },
        { key: 'token', type: 'string', secret: true },
      ],
    },
  },
});

const RENAME: MigrationStep = { rename: { from: 'server', to: 'host' } };
const judge = (
  values: string,
  steps: readonly MigrationStep[],
  given: { readonly enabled?: boolean; readonly schemaVersion?: number; readonly isBehind?: boolean } = {},
) => {
  const { enabled = true, schemaVersion = 1, isBehind = false } = given;
  const { values: migrated, ...judged } = judgeUpgrade({
    record: { ...FAMILY, enabled, schemaVersion },
    stored: { values, secretNames: new Set(['token']), jsonSchemas: TYPE_SCHEMAS },
    target: targetWith(steps),
    runtimes: isBehind ? [BEHIND] : [],
  });
  return { ...judged, lacks: judged.lacks.map(({ attr }) => attr), values: Object.fromEntries(migrated) };
};

const CLEAN = { status: 'clean', runtimes: [], lacks: [], lost: [] };

test.each<readonly [string, Parameters<typeof judge>, object]>([
  ['is migrated', ['{"server":"a"}', [RENAME]], { ...CLEAN, values: { host: 'a' } }],
  [
    'loses an entry',
    ['{"server":"a","host":"b"}', [RENAME]],
    { ...CLEAN, status: 'lossy', lost: ['host'], values: { host: 'a' } },
  ],
  ['needs a person', ['{"server":"a"}', [{ require: 'host' }]], { status: 'needs_input', lacks: ['host'] }],
  ['would become invalid', ['{"other":"a"}', [RENAME]], { status: 'needs_input', lacks: ['other', 'host'] }],
  ['may become invalid, since it is disabled', ['{}', [RENAME], { enabled: false }], CLEAN],
  ['would become too large', [`{"server":"${'x'.repeat(300_000)}"}`, [RENAME]], { status: 'needs_input' }],
  ['has no migration', ['{}', [], { schemaVersion: 3 }], { status: 'needs_input', lacks: ['version'] }],
  [
    'is held up by a runtime',
    ['{"server":"a","host":"b"}', [RENAME, { require: 'token' }], { isBehind: true }],
    { status: 'unsupported', runtimes: ['shop-1'], lacks: ['token'], lost: ['host'] },
  ],
  [
    'has the schema, which runtimes need not understand',
    ['{"host":"a"}', [], { schemaVersion: 2, isBehind: true }],
    { ...CLEAN, values: { host: 'a' } },
  ],
])('a record that %s', (_, given, expected) => {
  expect(judge(...given)).toMatchObject(expected);
});

test('no detail quotes a value', () => {
  const stored = {
    values: '{"server":"hunter2","token":"hunter2","x":"hunter2"}',
    secretNames: new Set(['token']),
    jsonSchemas: TYPE_SCHEMAS,
  };
  const steps: readonly MigrationStep[] = [{ map: { key: 'server', values: {} } }];
  for (const each of [steps, [RENAME]]) {
    const record = { ...FAMILY, enabled: true, schemaVersion: 1 };
    const { lacks } = judgeUpgrade({ record, stored, target: targetWith(each), runtimes: [] });
    expect(lacks.length).toBeGreaterThan(0);
    expect(JSON.stringify(lacks.map(({ message }) => message))).not.toContain('hunter2');
  }
});
