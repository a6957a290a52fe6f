import {
  activityEntry,
  activityView,
  configRecord,
  configRecordPage,
  errorBody,
  health,
  job,
  jobPage,
  logEntryPage,
  project as projectSchema,
  projectPage,
} from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { describe, expect } from 'vitest';
import type * as z from 'zod';
import { caller } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

/** Compares an answer with its schema: no field is missing, and none is undocumented. */
function follows(schema: z.ZodObject, body: unknown): void {
  expect(schema.strict().safeParse(body).error).toBeUndefined();
}

describe.each(FAMILIES)('answers about %s match the document', (family) => {
  test('records and lists of them', async ({ call }) => {
    const created = await call('POST', `/${family}`, { body: { plugin: 7, name: 'One' } });
    const one = `/${family}/${created.body.id}`;
    follows(configRecord, created.body);
    follows(configRecord, (await call('GET', one)).body);
    follows(configRecord, (await call('PATCH', one, { body: { enabled: true } })).body);
    follows(configRecord, (await call('PUT', `${one}/config`, { body: { host: 'example.com' } })).body);
    follows(configRecord, (await call('GET', `${one}/frontend`)).body);
    follows(
      configRecord,
      (await call('PATCH', `/${family}/rearrange`, { body: { plugin: 7, order: 3 } })).body,
    );

    const list = await call<z.infer<typeof configRecordPage>>('GET', `/${family}?limit=1`);
    follows(configRecordPage, list.body);
    for (const record of list.body.results) follows(configRecord, record);

    const rearranged = await call<readonly unknown[]>('PATCH', `/${family}/rearrange`, {
      body: { orders: {} },
    });
    for (const record of rearranged.body) follows(configRecord, record);
  });

  test('history and jobs', async ({ service, call }) => {
    const created = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const one = `/${family}/${created.body.id}`;
    const queued = await call('POST', `${one}/job`, { body: { enabled: true } });
    follows(configRecord, queued.body);

    const { token } = await service.issueKey();
    const elsewhere = caller({ base: '', token });
    follows(job, (await elsewhere('GET', queued.headers.get('location') ?? '')).body);

    const jobs = await call<z.infer<typeof jobPage>>('GET', `${one}/jobs`);
    follows(jobPage, jobs.body);
    for (const each of jobs.body.results) follows(job, each);

    const view = await call<z.infer<typeof activityView>>('GET', `${one}/activity`);
    follows(activityView, view.body);
    expect(view.body.results.map(({ activity }) => activity)).toEqual(['job_queued', 'created']);
    for (const entry of view.body.results) follows(activityEntry, entry);
  });

  test('refusals', async ({ call }) => {
    const refused = [
      await call('GET', `/${family}?limit=x`),
      await call('GET', `/${family}/0`),
      await call('POST', `/${family}`, { body: {} }),
      await call('POST', `/${family}`, { body: '{' }),
      await call('GET', `/${family}`, { token: null }),
      await call('PUT', `/${family}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400, 400, 401, 405]);
    for (const { body } of refused) follows(errorBody, body);
  });
});

test('answers about logs, projects and the service match the document', async ({
  service,
  project,
  call,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  follows(logEntryPage, (await call('GET', `/plugin_configs/${record.id}/logs`)).body);
  follows(projectSchema, (await call('GET', '')).body);

  const { token } = await service.issueKey({ projectIds: [project.id] });
  const elsewhere = caller({ base: service.url, token });
  follows(projectPage, (await elsewhere('GET', '/api/projects')).body);
  follows(health, (await elsewhere('GET', '/livez')).body);
  follows(health, (await elsewhere('GET', '/readyz')).body);
});
