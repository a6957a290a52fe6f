import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller, type Call, type ReceivedResponse } from '../testing/caller.ts';
import { test as base, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

export const ALL = '/plugin_configs';
export const JOBS = '/../../runtime/plugin_configs/jobs';
export const PLUGIN = 4730;
export const CANARY = 'a canary in a secret';
export const REGISTRATION = {
  name: 'GeoIP',
  config_schema: [
    { key: 'host', type: 'string', required: true },
    { key: 'token', type: 'string', secret: true },
  ],
  jobs: [
    { type: 'replay', name: 'Send again', timeout_seconds: 60, payload_schema: SCHEMA() },
    { type: 'export' },
  ],
  checks: true,
};

function SCHEMA() {
  return {
    type: 'object',
    required: ['from'],
    properties: { from: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
    additionalProperties: false,
  };
}

/** A registered plugin with a record. */
export interface Plugin {
  /** The path of the record. */
  readonly path: string;
  readonly id: number;
  /** Sends requests with the key of a runtime. */
  readonly runtime: Call;
  readonly queue: (job: object) => Promise<string>;
  readonly claim: (body?: object) => Promise<Wire<'claimedJobs'>['jobs']>;
  readonly end: (id: string, result?: object) => Promise<ReceivedResponse<WireErrorBody>>;
  readonly job: (id: string, query?: string) => Promise<Wire<'jobWithOutput'>>;
}

export const test = base.extend<{ plugin: Plugin }>({
  plugin: async ({ service, call, project }, use) => use(await aPlugin(service, call, project.id)),
});

async function aPlugin(service: Service, call: Call, project: number): Promise<Plugin> {
  await call('PUT', `/../../plugins/${PLUGIN}`, { body: REGISTRATION });
  const config = { host: 'a', token: CANARY };
  const { body: record } = await call('POST', ALL, { body: { plugin: PLUGIN, enabled: true, config } });
  const path = `${ALL}/${record.id}`;
  const { token } = await service.issueKey({ projectIds: [project], scopes: ['plugin_runtime'] });
  const runtime = caller({ base: `${service.url}/api/projects/${project}`, token });
  return {
    path,
    id: record.id,
    runtime,
    queue: async (job) => {
      const { status, headers, body } = await call('POST', `${path}/job`, { body: { job } });
      expect([status, body]).toEqual([200, expect.objectContaining({ id: record.id })]);
      return headers.get('location')?.split('/').at(-1) ?? '';
    },
    claim: async (body = {}) => {
      const sent = { instance: 'a', plugins: [PLUGIN], ...body };
      const response = await runtime<Wire<'claimedJobs'>>('POST', `${JOBS}/claim`, { body: sent });
      expect([response.status, response.body]).toEqual([200, { jobs: expect.any(Array) }]);
      return response.body.jobs;
    },
    end: (id, result = {}) =>
      runtime<WireErrorBody>('PUT', `${JOBS}/${id}/result`, {
        body: { instance: 'a', state: 'succeeded', ...result },
      }),
    job: async (id, query = '') =>
      (await call<Wire<'jobWithOutput'>>('GET', `${path}/jobs/${id}${query}`)).body,
  };
}
