import { documentErrorBody, type WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { propertyRuns } from '../../../../../tools/property-runs.ts';
import { caller } from '../caller.ts';
import { createItems } from '../mounted-endpoints.ts';
import { test as base } from '../service.fixture.ts';
import { isAboutPluginJobs, takeJob } from '../taken-job.ts';
import { createWritableRecord } from '../writable-record.ts';
import type { DescribedOperation } from './described-operations.ts';
import { exchange } from './exchange.ts';
import { fingerprint } from './fingerprint.ts';
import { oddRequest, type Ids, type Oddity } from './odd-request.ts';

const SLOW_MS = 5000;
/** The stored data is compared once per this many requests. */
const SAMPLE = Math.ceil(40 / propertyRuns(1));
/** Statuses of requests that do not reach the endpoint. */
const EARLY = new Set([404, 405, 431]);
const LIMITED = /^location: \S+(\/(?:alerts|webhooks)\/\d+)\r?$/im;

interface Target {
  readonly url: string;
  readonly token: string;
  /** Deletes the alert or webhook that a request created, since a project has a limited number of them. */
  readonly removeCreated: (head: string) => Promise<void>;
  /** Creates a record with a queued job, an alert and a webhook. */
  readonly make: (operation: DescribedOperation) => Promise<Ids>;
  /** Returns a digest of all stored data. */
  readonly stored: () => Promise<string>;
}

interface Fixtures {
  readonly target: Target;
}

export const test = base.extend<Fixtures>({
  target: async ({ service, project, database }, use) => {
    const { token } = await service.issueKey({ projectIds: [project.id] });
    const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const make = async ({ family, endpoint }: DescribedOperation): Promise<Ids> => {
      const path = `/${family ?? 'plugin_configs'}`;
      if (endpoint.operationId === 'write_back_{one}') {
        const all = caller({ base: `${service.url}/api/projects/${project.id}${path}`, token });
        const items = await createItems(call);
        return { project: project.id, record: await createWritableRecord(service, all), job: '', items };
      }
      if (isAboutPluginJobs(endpoint.path)) {
        const ref = { projectId: project.id, family: family ?? 'plugin_configs' } as const;
        const all = caller({ base: `${service.url}/api/projects/${project.id}${path}`, token });
        const items = await createItems(call);
        return { project: project.id, ...(await takeJob(service, ref, all)), items };
      }
      const { body: record } = await call('POST', path, { body: { plugin: 7 } });
      const { headers } = await call('POST', `${path}/${record.id}/job`, { body: {} });
      const job = headers.get('location')?.split('/').at(-1) ?? '';
      return { project: project.id, record: record.id, job, items: await createItems(call) };
    };
    const removeCreated = async (head: string): Promise<void> => {
      const [, path] = LIMITED.exec(head) ?? [];
      if (path !== undefined) await call('DELETE', path);
    };
    await use({ url: service.url, token, make, removeCreated, stored: await fingerprint(database) });
  },
});

/**
 * Returns a function that sends odd requests of an operation. It expects a timely response and documented errors, and checks for
 * a sample of requests that errors change nothing.
 */
export async function oddSender(
  { url, token, make, removeCreated, stored }: Target,
  operation: DescribedOperation,
) {
  const ids = await make(operation);
  let sent = 0;
  return async (odd: readonly Oddity[]): Promise<WireErrorBody | null> => {
    const { lines, body } = oddRequest(operation, ids, token, odd);
    const isSample = sent++ % SAMPLE === 0;
    const before = isSample ? await stored() : null;
    const start = performance.now();
    const { status, head, body: text } = await exchange(url, lines, body);
    const durationMs = performance.now() - start;
    const after = isSample ? await stored() : null;
    const isRejected = status >= 400;
    if (status === 201) await removeCreated(head);
    const { data = null } = isRejected ? documentErrorBody.strict().safeParse(JSON.parse(text)) : {};
    const faults = {
      'took too long': durationMs >= SLOW_MS,
      failed: status >= 500,
      'changed something': after !== before && (isRejected || operation.endpoint.method === 'GET'),
      'has an undocumented form': isRejected && data === null,
      'is not documented': !(
        operation.statuses.has(status) ||
        EARLY.has(status) ||
        data?.code === 'parse_error'
      ),
    };
    const details = [lines[0], odd, head, text].map((part) => JSON.stringify(part).slice(0, 500));
    const found = Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
    expect([found, ...details]).toEqual([[], ...details]);
    return data;
  };
}
