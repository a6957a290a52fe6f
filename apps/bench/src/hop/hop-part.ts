import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { startApp } from '../app-process.ts';
import { PROJECTS, RECORDS_PER_PROJECT, seed } from '../http/seed.ts';
import { startService, type Service } from '../http/service.ts';
import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { watchPeakMb } from '../peak-memory.ts';

const CALLS = 2000;
const WARM_UP_CALLS = 500;

/** Measures what the service costs compared with a table in the product's own database: a network hop, memory and disk. */
export const hopPart: Part = async ({ databaseUrl }) => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seed(client, databaseUrl);
  const service = await startService(databaseUrl);
  const worker = await startApp('worker', { DATABASE_URL: databaseUrl });
  const workerMb = watchPeakMb(worker.process);
  try {
    const rows: (readonly (string | number)[])[] = [];
    for (const [what, own, asked] of callsOf(client, service)) {
      rows.push([what, ...milliseconds(await timesOf(own)), ...milliseconds(await timesOf(asked))]);
    }
    const megabytes = [
      ['HTTP app', await service.residentMb()],
      ['worker', workerMb()],
      ['database: config_record', await diskMb(client, 'config_record')],
      ['database: bare_record', await diskMb(client, 'bare_record')],
    ] as const;
    const header = ['', 'own table, ms', '99 %', 'service, ms', '99 %'];
    const sizes = megabytes.map(([what, mb]) => [what, Math.round(mb)]);
    return {
      text: `${markdownTable(header, rows)}\n\n${markdownTable(['', 'MB'], sizes)}`,
      errors: megabytes.filter(([, mb]) => Number.isNaN(mb)).length,
    };
  } finally {
    await Promise.all([service.stop(), worker.stop()]);
    await client.end();
  }
};

type Call = (n: number) => Promise<unknown>;

/** Returns the same calls to the product's own table and to the service. */
function callsOf(client: Client, { port, token }: Service): readonly (readonly [string, Call, Call])[] {
  const project = (n: number): number => 1 + (n % PROJECTS);
  const record = (n: number): number => project(n) * RECORDS_PER_PROJECT;
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}/api/projects/${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return response.json();
  };
  const query = async (
    name: string,
    text: string,
    ...values: readonly (number | string)[]
  ): Promise<unknown> => client.query({ name, text, values: [...values] });
  return [
    [
      'list of 100',
      async (n) =>
        query(
          'list',
          'select * from bare_record where team_id = $1 and not deleted order by "order", id',
          project(n),
        ),
      async (n) => ask(`${project(n)}/plugin_configs/`),
    ],
    [
      'one record',
      async (n) =>
        query('one', 'select * from bare_record where team_id = $1 and id = $2', project(n), record(n)),
      async (n) => ask(`${project(n)}/plugin_configs/${record(n)}/`),
    ],
    [
      'a change',
      async (n) =>
        query(
          'update',
          'update bare_record set name = $3, updated_at = now() where team_id = $1 and id = $2 returning *',
          project(n),
          record(n),
          `Own ${n}`,
        ),
      async (n) =>
        ask(`${project(n)}/plugin_configs/${record(n)}/`, {
          method: 'PATCH',
          body: JSON.stringify({ name: `Asked ${n}` }),
        }),
    ],
  ];
}

/** Measures sequential calls, as a request of the product would make them. */
async function timesOf(call: Call): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP_CALLS + CALLS; n++) {
    const before = performance.now();
    await call(n);
    if (n >= WARM_UP_CALLS) times.push(performance.now() - before);
  }
  return times;
}

function milliseconds(times: readonly number[]): readonly string[] {
  const slow = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return [median(times).toFixed(2), slow.toFixed(2)];
}

async function diskMb(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ readonly bytes: string }>(
    'select pg_total_relation_size($1::regclass) as bytes',
    [table],
  );
  return Number(rows[0]?.bytes ?? Number.NaN) / 1e6;
}
