/** @module-tag long */

import { COUNTED_RECORDS_MAX } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { neighbour } from '../testing/neighbour.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const KEYS = 300;
const CHUNK = 30;
const PROJECTS = 1000;
const READERS = 60;

interface KeyPage {
  readonly next: string | null;
  readonly results: readonly { readonly project_ids: readonly number[] | null }[];
}

const running = serviceOfFile();

test('counting the records of the versions of a plugin does not slow down neighbours', async () => {
  const service = running();
  await registerPlugin(service, { id: 9, name: 'Counted' });
  const reader = await service.tenant();
  await service.rows(
    `insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version)
    select $1, 'plugin_configs', 9, false, n, false, now(), now(), 1 from generate_series(1, $2::integer) n`,
    [reader.projectId, COUNTED_RECORDS_MAX],
  );
  const other = await neighbour(await service.tenant());
  await readAtOnce(reader, '/api/plugins/9/versions');
  await other.expectUnaffected();
  const { plugins } = await administrator(service);
  const { results } = await plugins.versions(9).page();
  expect(results).toMatchObject([{ records: COUNTED_RECORDS_MAX }]);
});

test('reading many keys with many projects does not slow down neighbours', async () => {
  const service = running();
  await issueMany(service);
  const other = await neighbour(await service.tenant());
  const token = await service.issueKey(['key:write', 'plugin:read']);
  const { api } = await service.tenant();
  await readAtOnce({ api, token }, '/api/keys?limit=1000');
  await other.expectUnaffected();
  const bound = await fetch(`${api}/api/keys?limit=1000`, { headers: { authorization: `Bearer ${token}` } });
  const { results, next } = (await bound.json()) as KeyPage;
  const projects = results.flatMap(({ project_ids: ids }) => ids ?? []);
  expect(projects.length).toBe(10_000);
  expect(next).toContain(`offset=${results.length}`);
});

async function readAtOnce({ api, token }: Pick<Tenant, 'api' | 'token'>, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async () => (await fetch(api + path, { headers })).arrayBuffer();
  await Promise.all(Array.from({ length: READERS }, read));
}

/** Issues the keys in chunks: a single statement could time out. */
async function issueMany({ rows }: RunningService): Promise<void> {
  await rows(
    `insert into project (name, created_at) select 'Project ' || n, now() from generate_series(1, $1::int) n`,
    [PROJECTS],
  );
  for (let from = 1; from <= KEYS; from += CHUNK) {
    await rows(
      `with key as (
        insert into api_key (label, hash, scopes, created_at)
        select 'Key ' || n, md5('a' || n) || md5('b' || n), '{plugin:read}', now() from generate_series($1::int, $2::int) n returning id
      )
      insert into api_key_project (key_id, project_id)
      select key.id, p.id from key, (select id from project order by id desc limit $3) p`,
      [from, from + CHUNK - 1, PROJECTS],
    );
  }
}
