import {
  applyDeclaration,
  exportDeclaration,
  exportManaged,
  makePlan,
  parseBase,
  planDeclaration,
  type ExportInput,
  type PlanInput,
  registerPlugin,
  type Declaration,
  type DeclaredRecord,
  type FamilyRef,
  type Json,
  type JsonObject,
} from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, aRecordWrite, seededRandomness } from '@plugin-config/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../tools/property-runs.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();
const AUTHOR = anAuthor({ actor: { keyId: 1, label: 'ci' } });
const PLUGIN = aPlugin({
  id: 1,
  configSchema: [
    { key: 'mode', type: 'choice', choices: ['a', 'b'], default: 'a' },
    { key: 'limit', type: 'number' },
    { key: 'rules', type: 'json', default: { x: 1, y: [2] } },
    { key: 'token', type: 'string', secret: true },
  ],
});
const TOKENS = ['ONE', 'TWO'] as const;
const SECRETS = new Map<string, string>([
  ['ONE', 'canary-1'],
  ['TWO', 'canary-2'],
]);

/** Values of any type, and the default with its keys in another order. */
const rules = fc.oneof(
  fc.constant({ y: [2], x: 1 }),
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json),
);

const config: fc.Arbitrary<JsonObject> = fc.record(
  {
    mode: fc.constantFrom('a', 'b', null),
    limit: fc.constantFrom(0, -0, 1e2, 0.1, null),
    rules: fc.option(rules),
    token: fc.option(fc.constantFrom(...TOKENS).map((name) => ({ $secret: name }))),
  },
  { requiredKeys: [] },
);

const declared = (key: string): fc.Arbitrary<DeclaredRecord> =>
  fc.record(
    {
      key: fc.constant(key),
      plugin: fc.constant(1),
      enabled: fc.boolean(),
      name: fc.option(fc.constantFrom('A', '')),
      description: fc.option(fc.constant('D')),
      config,
      prevent_destroy: fc.constant(false),
    },
    { requiredKeys: ['key', 'plugin'] },
  );

const records: fc.Arbitrary<readonly DeclaredRecord[]> = fc
  .shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  .chain((keys) => fc.tuple(...keys.map(declared)));

const declaration: fc.Arbitrary<Declaration> = fc.record(
  {
    manager: fc.constantFrom('one', 'two'),
    plugin_configs: records,
    pipeline_transformation_configs: records,
  },
  { requiredKeys: ['manager'] },
);

/** The positions of unmanaged records: ties, gaps, and no room between them. */
const others = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 5 });

async function prepared(ports: PostgresPorts, orders: readonly number[]): Promise<FamilyRef> {
  const family = await aFamily(ports);
  await registerPlugin(ports, PLUGIN, anAuthor());
  for (const [i, order] of orders.entries()) {
    const record = await aRecord(ports, family, { order, plugin: 1 });
    if (i % 2 === 1) await ports.records.save(aRecordWrite(record, { deleted: true }));
  }
  return family;
}

const dependenciesOn = ({ managed, plugins, jsonSchemas }: PostgresPorts) => ({
  managed,
  plugins,
  requireRegistered: false,
  plan: (input: PlanInput) => planDeclaration({ jsonSchemas }, input),
  exportState: (input: ExportInput) => exportDeclaration({ jsonSchemas }, input),
  uuid: seededRandomness().uuid,
});

async function apply(ports: PostgresPorts, { projectId }: FamilyRef, given: Declaration): Promise<void> {
  const query = { projectId, declaration: given, secrets: SECRETS };
  const { base } = (await makePlan(dependenciesOn(ports), query)).report;
  const command = { ...query, base: parseBase(base), maxDeletes: 100, author: AUTHOR };
  const outcome = await applyDeclaration(dependenciesOn(ports), command);
  expect(outcome.kind).toBe('applied');
  expect(JSON.stringify(outcome)).not.toContain('canary');
}

/** The tables with rows about records, and their column with the record id. */
const TABLES = [
  ['config_record', 'id'],
  ['managed_record', 'record_id'],
  ['activity', 'record_id'],
  ['config_revision', 'record_id'],
  ['job', 'record_id'],
] as const;

/** Returns all rows of records that this manager does not own, including deleted records, as text. */
async function rowsOfOthers(
  { pool }: Pick<EncryptedDatabase, 'pool'>,
  projectId: number,
  manager: string,
): Promise<readonly string[]> {
  const texts = TABLES.map(
    ([table, id]) => `select '${table} ' || t::text as row from ${table} t
      join config_record r on r.id = t.${id} and r.project_id = $1
      where not exists (select from managed_record m where m.record_id = r.id and m.manager = $2)`,
  );
  const { rows } = await pool.query<{ row: string }>(texts.join(' union all '), [projectId, manager]);
  return rows.map(({ row }) => row).toSorted();
}

async function checkApplies(
  database: EncryptedDatabase,
  orders: readonly number[],
  declarations: readonly Declaration[],
): Promise<void> {
  const ports = postgresPorts(database);
  const family = await prepared(ports, orders);
  const { projectId } = family;
  for (const each of declarations) {
    const before = await rowsOfOthers(database, projectId, each.manager);
    await apply(ports, family, each);
    expect(await rowsOfOthers(database, projectId, each.manager)).toEqual(before);
    const query = { projectId, declaration: each, secrets: SECRETS };
    const again = await makePlan(dependenciesOn(ports), query);
    expect(again.report.changes).toEqual([]);
    expect(await ports.managed.drift(projectId, each.manager)).toEqual([]);
    const owned = await managedKeys(ports, family, each.manager);
    for (const name of ['plugin_configs', 'pipeline_transformation_configs'] as const) {
      expect(owned[name]).toEqual(each[name]?.map(({ key }) => key) ?? owned[name]);
    }
  }
  for (const manager of ['one', 'two']) await roundTrips(ports, projectId, manager);
}

/** Returns the keys of the live records of a manager in the order of the records. */
async function managedKeys(ports: PostgresPorts, { projectId }: FamilyRef, manager: string) {
  const document = await exportManaged(dependenciesOn(ports), { projectId, manager });
  const keysOf = (of: readonly Pick<DeclaredRecord, 'key'>[] = []) => of.map(({ key }) => key);
  return {
    plugin_configs: keysOf(document.plugin_configs),
    pipeline_transformation_configs: keysOf(document.pipeline_transformation_configs),
  };
}

/** An export recreates the records in an empty project. */
async function roundTrips(ports: PostgresPorts, projectId: number, manager: string): Promise<void> {
  const document = await exportManaged(dependenciesOn(ports), { projectId, manager });
  const empty = await aFamily(ports);
  const names = [...JSON.stringify(document).matchAll(/"\$secret":"(\w+)"/g)].map(([, name = '']) => name);
  const query = {
    projectId: empty.projectId,
    declaration: document,
    secrets: new Map(names.map((name) => [name, 'canary'])),
  };
  const { base } = (await makePlan(dependenciesOn(ports), query)).report;
  const command = { ...query, base: parseBase(base), maxDeletes: 0, author: AUTHOR };
  await applyDeclaration(dependenciesOn(ports), command);
  expect(await exportManaged(dependenciesOn(ports), { projectId: empty.projectId, manager })).toEqual(
    document,
  );
}

const example = fc.tuple(others, fc.array(declaration, { minLength: 1, maxLength: 4 }));

test(
  'after random applies by two managers, plans are empty, other records are unchanged, and exports are equivalent',
  () =>
    withEmptied((database) =>
      fc.assert(
        fc.asyncProperty(example, ([orders, declarations]) => checkApplies(database, orders, declarations)),
        { numRuns: propertyRuns(15) },
      ),
    ),
  propertyTimeout(180_000),
);
