import type { Json, JsonObject } from '@plugin-config/client';
import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

interface ClaimedJob {
  readonly id: string;
  readonly type: string;
  readonly payload: Json;
  readonly config: JsonObject;
}

const INSTANCE = 'shop-eu-1';

/** A runtime of one plugin in the project of a tenant, which does what the test says. */
export async function playRuntime(
  service: Pick<RunningService, 'issueKey'>,
  { api, projectId }: Tenant,
  plugin: number,
) {
  const token = await service.issueKey(['plugin_runtime'], [projectId]);
  const send = async (method: string, path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${api}/api/runtime/plugin_configs/jobs${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instance: INSTANCE, ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return {
    claim: async (): Promise<ClaimedJob> => {
      const { jobs } = (await send('POST', '/claim', { plugins: [plugin], wait: 50 })) as {
        readonly jobs: readonly ClaimedJob[];
      };
      const [job] = jobs;
      if (job === undefined) throw new Error('There was no job.');
      return job;
    },
    renew: async (id: string, body: object): Promise<unknown> => send('PATCH', `/${id}`, body),
    end: async (id: string, result: object = {}): Promise<unknown> =>
      send('PUT', `/${id}/result`, { state: 'succeeded', ...result }),
  };
}
