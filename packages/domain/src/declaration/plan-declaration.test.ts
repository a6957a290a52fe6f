import { expect, test } from 'vitest';
import type { ConfigField } from '../configuration/config-field.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { DeclaredRecord } from './declaration.ts';
import type { ManagedState } from './managed-records.ts';
import { planDeclaration, type Plan } from './plan-declaration.ts';

const MIB = 1024 * 1024;
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const ENTRIES = 4_900;

/** The state of a project without records. */
function stateWith(plugins: ManagedState['plugins'] = new Map()): ManagedState {
  const family = { live: [], owned: [] };
  return {
    base: { timelineId: '1-1', entries: { plugin_configs: 0, pipeline_transformation_configs: 0 } },
    families: { plugin_configs: family, pipeline_transformation_configs: family },
    plugins,
    fingerprint: (plan) => String(plan.length),
  };
}

function planning(
  records: readonly DeclaredRecord[],
  {
    state = stateWith(),
    secrets = {},
  }: { state?: ManagedState; secrets?: Readonly<Record<string, string>> } = {},
): Generator<void, Plan, void> {
  return planDeclaration({
    declaration: { manager: 'team', plugin_configs: records },
    state,
    secrets: new Map(Object.entries(secrets)),
    requireRegistered: false,
  });
}

/** Runs the work. Returns its result, and how often it yielded. */
function finish<T>(work: Generator<void, T, void>): { readonly value: T; readonly yields: number } {
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, yields };
  }
}

const copies = (count: number, config: JsonObject): readonly DeclaredRecord[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, plugin: 7, config }));

test('planning yields many times within one large configuration', () => {
  const config = Object.fromEntries(Array.from({ length: ENTRIES }, (_, n) => [`number-${n}`, n]));
  const { value, yields } = finish(planning(copies(1, config)));
  expect(value.report.summary.create).toBe(1);
  // Every few hundred entries while they are compared, and again while they are digested.
  expect(yields).toBeGreaterThan((2 * ENTRIES) / 300);
});

test('a secret that is sent once cannot fill more configurations than a manager may own', () => {
  const secrets = { TOKEN: 'x'.repeat(MIB / 4 - 100) };
  const plugin = { id: 7, name: 'One', configSchema: [TOKEN] };
  const seeded = { plugin, version: 1, secretNames: new Set(['token']), defaults: '{}' };
  const state = stateWith(new Map([[7, seeded as never]]));
  const plan = (count: number) =>
    finish(planning(copies(count, { token: { $secret: 'TOKEN' } }), { state, secrets })).value;
  expect(plan(100).report.summary.create).toBe(100);
  expect(() => plan(200)).toThrow('A plan is limited to');
});

test('defaults count as configurations of new records', () => {
  const seeded = {
    plugin: null,
    version: 1,
    secretNames: new Set<string>(),
    defaults: `{"a":"${'x'.repeat(MIB / 4)}"}`,
  };
  const state = stateWith(new Map([[7, seeded]]));
  const records = (count: number) => copies(count, {}).map(({ key, plugin }) => ({ key, plugin }));
  expect(finish(planning(records(100), { state })).value.report.summary.create).toBe(100);
  expect(() => finish(planning(records(200), { state }))).toThrow('A plan is limited to');
});
