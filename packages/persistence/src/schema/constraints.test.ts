import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.ts';

type Row = Readonly<Record<string, unknown>>;

const HASH = '0'.repeat(64);
const AT = '2026-01-02T03:04:05.678Z';

const ROWS = {
  project: { id: 2, name: 'Two', created_at: AT },
  config_family: { project_id: 3, family: 'plugin_configs' },
  api_key: { id: 2, label: 'Key', hash: '1'.repeat(64), scopes: ['*'], created_at: AT },
  api_key_project: { key_id: 1, project_id: 1 },
  plugin: {
    id: 2,
    name: 'Two',
    info: '{}',
    registry_version: 1,
  },
  config_record: {
    id: 2,
    project_id: 1,
    family: 'plugin_configs',
    plugin: 1,
    enabled: false,
    position: 1,
    deleted: false,
    created_at: AT,
    updated_at: AT,
    version: 1,
  },
  activity: { record_id: 1, activity: 'updated', created_at: AT, actor_label: 'Key', changes: '[]' },
  task: { kind: 'job', project_id: 3, key: 4, lease_until: AT },
  job: {
    project_id: 1,
    id: '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4b',
    record_id: 1,
    work: '\\x00',
    state: 'queued',
    attempts: 0,
    actor_label: 'Key',
    created_at: AT,
  },
  webhook: {
    id: 2,
    project_id: 1,
    target: '\\x00',
    events: ['record.created'],
    enabled: true,
    version: 1,
    created_at: AT,
    updated_at: AT,
  },
  webhook_dispatch: {
    project_id: 1,
    webhook_id: 1,
    event_key: 'other',
    type: 'record.created',
    payload: '{}',
    created_at: AT,
    due_at: AT,
  },
} satisfies Readonly<Record<string, Row>>;

type Table = keyof typeof ROWS;

const BAD: readonly (readonly [Table, Row, string])[] = [
  ['project', { id: 0 }, 'project_id_check'],
  ['project', { name: '' }, 'project_name_check'],
  ['project', { name: 'x'.repeat(201) }, 'project_name_check'],
  ['config_family', { family: 'other' }, 'config_family_family_check'],
  ['config_family', { list_version: 2, family_version: 1 }, 'config_family_list_version_check'],
  ['config_family', { order_version: 2, family_version: 1 }, 'config_family_order_version_check'],
  ['config_family', { project_id: 4711 }, 'config_family_project_id_fkey'],
  ['config_family', { project_id: 1 }, 'config_family_pkey'],
  ['api_key', { label: '' }, 'api_key_label_check'],
  ['api_key', { hash: 'short' }, 'api_key_hash_check'],
  ['api_key', { hash: HASH }, 'api_key_hash_key'],
  ['api_key', { scopes: [] }, 'api_key_scopes_check'],
  ['api_key', { scopes: ['plugin:admin'] }, 'api_key_scopes_check'],
  ['api_key_project', { project_id: 4711 }, 'api_key_project_project_id_fkey'],
  ['api_key_project', { key_id: 4711 }, 'api_key_project_key_id_fkey'],
  ['plugin', { id: 0 }, 'plugin_id_check'],
  ['plugin', { config_schema: '{}' }, 'plugin_config_schema_check'],
  ['plugin', { info: null }, 'plugin_removed_check'],
  ['config_record', { plugin: 0 }, 'config_record_plugin_check'],
  ['config_record', { position: -1 }, 'config_record_position_check'],
  ['config_record', { name: '🚀'.repeat(401) }, 'config_record_name_check'],
  ['config_record', { description: 'x'.repeat(1001) }, 'config_record_description_check'],
  ['config_record', { delivery_rate: '1.0001' }, 'config_record_delivery_rate_check'],
  ['config_record', { deleted: true, enabled: true }, 'config_record_deleted_check'],
  ['config_record', { version: 0 }, 'config_record_version_check'],
  ['activity', { activity: 'renamed' }, 'activity_activity_check'],
  ['activity', { changes: '{}' }, 'activity_changes_check'],
  ['activity', { more: -1 }, 'activity_more_check'],
  ['task', { key: 5 }, 'task_running_key'],
  ['task', { due_at: AT }, 'task_state_check'],
  ['job', { record_id: 4711 }, 'job_record_id_fkey'],
  ['job', { state: 'lost' }, 'job_state_check'],
  ['job', { state: 'succeeded' }, 'job_finished_check'],
  ['job', { finished_at: AT }, 'job_finished_check'],
  ['job', { attempts: -1 }, 'job_attempts_check'],
  ['webhook', { disabled_reason: 'gone' }, 'webhook_disabled_check'],
  ['webhook', { enabled: false, disabled_reason: 'tired' }, 'webhook_disabled_check'],
  ['webhook_dispatch', { event_key: 'same' }, 'webhook_dispatch_event_key'],
  ['webhook_dispatch', { state: 'lost', due_at: null, finished_at: AT }, 'webhook_dispatch_state_check'],
  ['webhook_dispatch', { due_at: null }, 'webhook_dispatch_pending_check'],
  ['webhook_dispatch', { finished_at: AT }, 'webhook_dispatch_finished_check'],
];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseAdminUrl'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await insert('project', { ...ROWS.project, id: 1 });
  await insert('project', { ...ROWS.project, id: 3 });
  await insert('config_family', { ...ROWS.config_family, project_id: 1 });
  await insert('api_key', { ...ROWS.api_key, id: 1, hash: HASH });
  await insert('config_record', { ...ROWS.config_record, id: 1 });
  await insert('task', { ...ROWS.task, key: 5 });
  await insert('webhook_dispatch', { ...ROWS.webhook_dispatch, event_key: 'same' });
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test.each(BAD)('the database rejects %s %j by the constraint %s', async (table, fault, constraint) => {
  await expect(insert(table, { ...ROWS[table], ...fault })).rejects.toMatchObject({ constraint });
});

test('every table accepts a valid row', async () => {
  for (const [table, row] of Object.entries(ROWS)) await insert(table, row);
});

test('the length of a name is counted in code points, as in the domain', () =>
  insert('config_record', { ...ROWS.config_record, id: 5, name: '🚀'.repeat(400) }));

async function insert(table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}
