import { expect, test } from 'vitest';
import type { ConfigField } from '../configuration/config-field.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { DeclaredRecord } from './declaration.ts';
import type { ManagedState } from './managed-records.ts';
import { planDeclaration, type Plan } from './plan-declaration.ts';

const MIB = 1024 * 1024;
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const NONE = { listVersion: 1, entry: 0 };

/** The state of a project without records. */
function stateWith(plugins: ManagedState['plugins'] = new Map()): ManagedState {
  const family = { live: [], owned: [] };
  return {
    base: {
      timelineId: '1',
      families: { plugin_configs: NONE, pipeline_transformation_configs: NONE },
      plugins: 0,
    },
    families: { plugin_configs: family, pipeline_transformation_configs: family },
    plugins,
  };
}

function plan(
  records: readonly DeclaredRecord[],
  {
    state = stateWith(),
    secrets = {},
  }: { state?: ManagedState; secrets?: Readonly<Record<string, string>> } = {},
): Plan {
  return planDeclaration({
    declaration: { manager: 'team', plugin_configs: records },
    state,
    secrets: new Map(Object.entries(secrets)),
    requireRegistered: false,
  });
}

const copies = (count: number, config: JsonObject): readonly DeclaredRecord[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, plugin: 7, config }));

test('a secret that is sent once cannot fill more configurations than a manager may own', () => {
  const secrets = { TOKEN: 'x'.repeat(MIB / 4 - 100) };
  const plugin = { id: 7, name: 'One', configSchema: [TOKEN] };
  const seeded = { plugin, version: 1, secretNames: new Set(['token']), defaults: new Map() };
  const state = stateWith(new Map([[7, seeded as never]]));
  const planOf = (count: number) => plan(copies(count, { token: { $secret: 'TOKEN' } }), { state, secrets });
  expect(planOf(25).report.summary.create).toBe(25);
  expect(() => planOf(50)).toThrow('A plan is limited to');
});
