/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { DEAD_LETTERS_PER_PROJECT } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { flood } from '../testing/flood.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RECORDS = 1_000;
const ENTRIES_PER_RECORD = 100;
const REVISIONS = 100;
const LARGE_CONFIG = 250_000;
const PUSHES = 50;
const ENTRIES_PER_PUSH = 1_000;
const AUDIT_ENTRIES = 100_000;
const CALLERS = 30;

const running = serviceOfFile();

test('endless reads of a long family history do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: RECORDS });
  await makeHistory(service, tenant);
  await expectNoSlowdown(service, (n) => {
    const filters = ['', '&actor=9000000', '&activity=deleted', '&actor=operator&activity=enabled'];
    const offset = (n * 997) % (RECORDS * ENTRIES_PER_RECORD);
    return tenant.call('GET', `/plugin_configs/activity?limit=1000&offset=${offset}${filters[n % 4]}`);
  });
});

test('endless reads of the errors of a large family do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: 10 * RECORDS });
  await makeErrors(service, tenant);
  await expectNoSlowdown(service, (n) =>
    tenant.call('GET', `/plugin_configs/errors?limit=1000&offset=${(n * 997) % (10 * RECORDS)}`),
  );
});

test('endless reads of many large revisions do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  await makeRevisions(service, tenant, id);
  const revisions = `/plugin_configs/${id}/revisions`;
  await expectNoSlowdown(service, (n) =>
    n % 10 === 0
      ? tenant.call('POST', `${revisions}/${(n % REVISIONS) + 1}/restore?dry_run=true`)
      : tenant.call('GET', n % 2 === 0 ? `${revisions}?limit=100` : `${revisions}/${(n % REVISIONS) + 1}`),
  );
});

test('endless reads of deliveries and of pages around an entry do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const entries = await fillLog(tenant, id);
  const logs = `/plugin_configs/${id}/logs`;
  await expectNoSlowdown(service, (n) => {
    const entry = entries[(n * 997) % entries.length] ?? '';
    const paths = [
      `/plugin_configs/${id}/deliveries?granularity=5m`,
      `${logs}?around=${entry}&limit=1000`,
      `${logs}?around=${entry}&search=message`,
      `${logs}/${entry}`,
    ];
    return tenant.call('GET', paths[n % paths.length] ?? '');
  });
});

test('endless sign-in attempts and reads of a long audit log do not slow down neighbours', async () => {
  const service = running();
  const token = await service.issueKey(['*']);
  await service.rows(
    `insert into audit (at, actor_label, action, subject_type, subject_id, subject_name)
    select now(), 'operator', 'project_renamed', 'project', n, 'Project ' || n from generate_series(1, $1::int) n`,
    [AUDIT_ENTRIES],
  );
  const { api } = await service.tenant();
  const headers = { 'content-type': 'application/json', origin: api, 'sec-fetch-site': 'same-origin' };
  await expectNoSlowdown(service, (n) =>
    n % 2 === 0
      ? fetch(`${api}/api/session`, { method: 'POST', headers, body: `{"key":"phx_${n}"}` })
      : fetch(`${api}/api/audit?limit=1000&offset=${(n * 997) % AUDIT_ENTRIES}`, {
          headers: { authorization: `Bearer ${token}` },
        }),
  );
});

test('endless reads of many large dead letters do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await service.rows(
    `insert into dead_letter (
      digest, owner, number, received_at, reason, channel, project_ids, plugin_ids, position, text, missing
    )
    select sha256(n::text::bytea), $1, n, now(), 'not_json', 'http', '{}', '{}', n, repeat(md5(n::text), 400), 0
    from generate_series(1, $2::int) n`,
    [`project ${tenant.projectId}`, DEAD_LETTERS_PER_PROJECT],
  );
  await expectNoSlowdown(service, (n) =>
    tenant.call('GET', `/dead_letters?limit=1000&offset=${(n * 997) % DEAD_LETTERS_PER_PROJECT}`),
  );
});

/** Expects each call to succeed or be rejected with Retry-After, and no neighbour to be slowed down. */
async function expectNoSlowdown(
  service: RunningService,
  call: (n: number) => Promise<{ readonly status: number }>,
): Promise<void> {
  const statuses = await flood(service, { callers: CALLERS, allowed: [200, 401, 429, 503] }, call);
  expect(statuses.get(200)).toBeGreaterThan(1);
}

async function makeHistory({ rows }: RunningService, { projectId }: Tenant): Promise<void> {
  await rows(
    `insert into activity (record_id, activity, created_at, actor_key_id, actor_label, changes)
    select id, 'updated', now(), n, 'key ' || n, json_build_array(
      json_build_object('field', 'description', 'before', repeat('b', 300), 'after', repeat('a', 300))
    ) from config_record, generate_series(1, $2::int) n where project_id = $1`,
    [projectId, ENTRIES_PER_RECORD],
  );
  await rows('vacuum analyze activity');
}

async function makeErrors({ rows }: RunningService, { projectId }: Tenant): Promise<void> {
  await rows(`update config_record set error = repeat('e' || id, 500) where project_id = $1`, [projectId]);
  await rows(
    `insert into error_report (record_id, timestamp, taken_in_at, position, error)
    select id, now() - id * interval '1 second', now(), id, error from config_record where project_id = $1`,
    [projectId],
  );
  await rows('vacuum analyze config_record');
  await rows('vacuum analyze error_report');
}

async function makeRevisions(
  { rows, database }: RunningService,
  { projectId }: Tenant,
  id: number,
): Promise<void> {
  const encrypt = await database.configurations.encrypter(database.pool, [projectId]);
  const text = randomBytes(LARGE_CONFIG / 2).toString('hex');
  const config = encrypt({ projectId, column: 'config_revision.config', row: id }, JSON.stringify({ text }));
  await rows(
    `insert into config_revision (record_id, number, created_at, actor_label, config)
    select $1, n, now(), 'key', $3::bytea from generate_series(1, $2::int) n`,
    [id, REVISIONS, config],
  );
  await rows('update config_record set revision = $2 where id = $1', [id, REVISIONS + 1]);
}

/** Fills a log and returns the ids of some entries. */
async function fillLog(tenant: Tenant, id: number): Promise<readonly string[]> {
  for (let push = 0; push < PUSHES; push++) {
    const lines = Array.from({ length: ENTRIES_PER_PUSH }, (_, n) => ({
      plugin_config_id: id,
      message: `message ${push * ENTRIES_PER_PUSH + n} ${'x'.repeat(100)}`,
    }));
    await tenant.push(lines);
  }
  const { results } = await tenant.pluginConfigs.logs(id, { limit: 1000 }).page();
  return results.map((entry) => entry.id);
}
