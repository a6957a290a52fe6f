import type { LoadRequest } from '../http/load.ts';
import { listPath, recordPath, request, SCENARIOS } from '../http/scenarios.ts';
import { PROJECTS, RECORDS_PER_PROJECT } from '../http/seed.ts';
import type { App } from '../app-process.ts';
import { sampleMessage } from '../sample-message.ts';
import { CONFIG } from '../seed-records.ts';

/** A request whose costs are measured. */
export interface Operation {
  readonly name: string;
  readonly app: App;
  /** The number of consecutive statements in a request. */
  readonly statements: number;
  /** The number of entries in a push; 1 for other requests. */
  readonly units: number;
  readonly requests: (credential: string) => readonly LoadRequest[];
}

export const OPERATIONS: readonly Operation[] = [
  scenario('one record', 1),
  scenario('list of 100', 1),
  uncachedLists('list of 100 that is not cached', PROJECTS),
  // Few enough that their configurations, once decrypted, stay in memory.
  uncachedLists('list of 100 that is not cached, but was read before', PROJECTS / 10),
  scenario('PATCH', 2),
  {
    name: 'PUT of a configuration',
    app: 'http',
    statements: 2,
    units: 1,
    requests: (credential) =>
      Array.from({ length: 40_000 }, (_, n) => {
        const record = recordPath(1 + ((n * 7919) % PROJECTS), 1 + (n % RECORDS_PER_PROJECT));
        return request('PUT', `${record}config`, credential, {
          ...(JSON.parse(CONFIG) as object),
          host: `events-${n}-${Date.now()}.example.com`,
        });
      }),
  },
  scenario('POST', 2),
  push(1),
  push(100),
  push(5_000),
];

function scenario(name: string, statements: number): Operation {
  const found = SCENARIOS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}.`);
  return { name, app: 'http', statements, units: 1, requests: found.requests };
}

/** Requests lists of the same records with different limits, so no response is cached. */
function uncachedLists(name: string, projects: number): Operation {
  const requests: Operation['requests'] = (credential) =>
    Array.from({ length: 40_000 }, (_, n) =>
      request('GET', `${listPath(1 + (n % projects))}?limit=${100 + Math.floor(n / projects)}`, credential),
    );
  return { name, app: 'http', statements: 2, units: 1, requests };
}

function push(entries: number): Operation {
  return {
    name: entries === 1 ? 'push of 1 entry' : `push of ${entries} entries`,
    app: 'worker',
    statements: 1,
    units: entries,
    requests: (credential) =>
      Array.from({ length: entries > 100 ? 5 : 100 }, (_, n) => ({
        method: 'POST',
        path: '/ingest',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/x-ndjson' },
        body: linesOf(entries, n),
      })),
  };
}

/** Returns entries without ids. The worker gives each a new id, so a repeated body contains new entries. */
function linesOf(entries: number, from: number): string {
  return Array.from({ length: entries }, (_, n) =>
    JSON.stringify({
      plugin_config_id: 1 + (((from + n) * 31) % RECORDS_PER_PROJECT),
      message: sampleMessage(from + n),
    }),
  ).join('\n');
}
