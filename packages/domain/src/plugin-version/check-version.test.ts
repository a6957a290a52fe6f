import { describe, expect, test } from 'vitest';
import { TYPE_SCHEMAS } from '../configuration/configuration.fixture.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { checkVersion } from './check-version.ts';
import { stepsBetween } from './steps-between.ts';
import type { ConfigMigration } from './migration-step.ts';
import type { VersionContent } from './plugin-version.ts';

const HOST: ConfigField = { key: 'host', type: 'string' };
const PORT: ConfigField = { key: 'port', type: 'number' };
const SPLIT: ConfigMigration = {
  from: 1,
  steps: [{ split: { key: 'host', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } }],
};

function version(given: Partial<VersionContent>): VersionContent {
  return { version: '1', schemaVersion: 1, configSchema: [HOST], migrations: [], examples: [], ...given };
}

const FIRST = version({ examples: [{ host: 'a:1' }] });
const next = (given: Partial<VersionContent> = {}): VersionContent =>
  version({ version: '2', schemaVersion: 2, configSchema: [HOST, PORT], migrations: [SPLIT], ...given });

const check = (
  versions: readonly VersionContent[],
  draft: VersionContent,
  secretNames: readonly string[] = [],
) => checkVersion(TYPE_SCHEMAS, { versions, secretNames }, draft);

describe('a version', () => {
  test('may be the first with any schema version, keep that of another one, or need the next', () => {
    expect(check([], version({ schemaVersion: 3 }))).toEqual([]);
    expect(check([FIRST], version({ version: '1.1', configSchema: [HOST, PORT] }))).toEqual([]);
    expect(check([FIRST], next())).toEqual([]);
    expect(check([FIRST, next()], version({ version: '1.1' }))).toEqual([]);
  });

  test('may repeat the migrations of earlier versions', () => {
    const third = next({ version: '3', schemaVersion: 3, migrations: [SPLIT, { from: 2, steps: [] }] });
    expect(check([FIRST, next()], third)).toEqual([]);
    expect(stepsBetween([FIRST, next(), third], 1, 3)).toEqual(SPLIT.steps);
    expect(stepsBetween([FIRST, third], 3, 1)).toBeNull();
    expect(stepsBetween([FIRST, next()], 1, 3)).toBeNull();
  });

  test('that renames a secret makes its new name secret', () => {
    const token: ConfigField = { key: 'token', type: 'string', secret: true };
    const before = version({ configSchema: [token] });
    const steps = [{ rename: { from: 'token', to: 'key' } }];
    const after = next({ configSchema: [{ ...token, key: 'key' }], migrations: [{ from: 1, steps }] });
    expect(check([before], after, ['token'])).toEqual(['token', 'key']);
  });

  test.each<[string, readonly VersionContent[], VersionContent, string, string]>([
    ['is registered with other contents', [FIRST], version({ checks: true }), 'already_exists', 'version'],
    [
      'needs the next schema version',
      [FIRST],
      version({ version: '2', configSchema: [PORT] }),
      'invalid_input',
      'config_schema',
    ],
    ['lacks a migration', [FIRST], next({ migrations: [] }), 'invalid_input', 'migrations'],
    ['skips a schema version', [FIRST], next({ schemaVersion: 3 }), 'invalid_input', 'schema_version'],
    ['has an unknown older schema version', [next()], version({}), 'invalid_input', 'schema_version'],
    [
      'has two migrations from one',
      [FIRST],
      next({ migrations: [SPLIT, SPLIT] }),
      'invalid_input',
      'migrations',
    ],
    [
      'has a migration from its own',
      [FIRST],
      version({ version: '2', migrations: [SPLIT] }),
      'invalid_input',
      'migrations',
    ],
    [
      'changes a known migration',
      [FIRST, next()],
      next({ version: '3', migrations: [{ from: 1, steps: [] }] }),
      'invalid_input',
      'migrations',
    ],
    [
      'has an example that its schema rejects',
      [],
      version({ examples: [{ host: 1 }] }),
      'invalid_input',
      'examples[0].host',
    ],
    [
      'migrates an example to a configuration that it rejects',
      [FIRST],
      next({ migrations: [{ from: 1, steps: [{ rename: { from: 'host', to: 'port' } }] }] }),
      'invalid_input',
      'migrations: examples[0] of version 1.port',
    ],
    [
      'shows a secret in an example',
      [],
      version({ configSchema: [{ ...HOST, secret: true }], examples: [{ host: 'hunter2' }] }),
      'invalid_input',
      'examples[0].host',
    ],
    [
      'maps a secret',
      [FIRST],
      next({
        configSchema: [{ ...HOST, secret: true }],
        migrations: [{ from: 1, steps: [{ map: { key: 'host', values: {} } }] }],
      }),
      'invalid_input',
      'migrations',
    ],
  ])('that %s is rejected', (_, versions, draft, code, attr) => {
    expect(() => check(versions, draft)).toThrow(expect.objectContaining({ code, attr }));
  });

  test('is rejected with all differences', () => {
    const draft = version({
      version: '2',
      configSchema: [
        { ...HOST, type: 'number' },
        { ...PORT, required: true },
      ],
    });
    const error: unknown = (() => {
      try {
        return check([FIRST], draft);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ errors: [{ attr: 'config_schema' }, { attr: 'config_schema' }] });
  });

  test('is one of at most 200', () => {
    const versions = Array.from({ length: 200 }, (_, i) => version({ version: `1.${i}` }));
    expect(() => check(versions, version({ version: '2' }))).toThrow(/at most 200/);
    expect(check(versions.slice(1), version({ version: '2' }))).toEqual([]);
  });
});
