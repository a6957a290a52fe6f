import { ingest } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { aDeadMessage, anOrigin } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

test("the dead letters of a project are listed, newest first, without another project's", async ({
  call,
  project,
  database,
}) => {
  const { id } = (await call('POST', '/plugin_configs', { body: { plugin: 7 } })).body;
  const neighbour = anOrigin({ owner: `project ${project.id + 1}`, projectIds: [project.id + 1] });
  const [first, second, long] = ['{"message":5}', '{', 'x'.repeat(2000)];
  await ingest({ stores: postgresIngestionStores(database) }, [
    aDeadMessage({ text: first, recordId: id, reason: 'invalid_message' }),
    aDeadMessage({ text: 'of a neighbour', origin: neighbour }),
    aDeadMessage({ text: 'about its record', recordId: id, origin: neighbour }),
    ...[second, long].map((text) =>
      aDeadMessage({ text, origin: anOrigin({ owner: `project ${project.id}`, projectIds: [project.id] }) }),
    ),
  ]);
  const { body } = await call<Wire<'deadLetterPage'>>('GET', '/dead_letters?limit=2');
  expect([body.count, body.results.map(({ text }) => text)]).toEqual([3, ['x'.repeat(1000), second]]);
  const rest = await call<Wire<'deadLetterPage'>>('GET', '/dead_letters?offset=2');
  expect(rest.body.results).toMatchObject([
    { plugin_config_id: id, reason: 'invalid_message', detail: '`message` must be a string.', text: first },
  ]);
});
