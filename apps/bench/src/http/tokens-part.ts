import { Client } from 'pg';
import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { startChild } from './child.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { PROJECTS, RECORDS_PER_PROJECT, seed } from './seed.ts';
import { startService, type Service } from './service.ts';

/** Compares reads of single records with a short-lived token to the same reads with its key. */
export const tokensPart: Part = async ({ databaseUrl, rounds, seconds }) => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seed(client, databaseUrl);
  await client.end();
  const service = await startService(databaseUrl);
  const load = startChild('./load.ts');
  try {
    const credentials = { key: service.token, token: await tokenOf(service) };
    const rows: (readonly (string | number)[])[] = [];
    let failures = 0;
    for (const connections of [20, 100]) {
      const rates = { key: [] as number[], token: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        for (const by of round % 2 === 0 ? (['key', 'token'] as const) : (['token', 'key'] as const)) {
          const requests = requestsWith(credentials[by]);
          const options = { port: service.port, connections, seconds, requests };
          const { perSecond, failed } = await load.request<LoadResult>(options);
          rates[by].push(perSecond);
          failures += failed;
        }
      }
      const ratio = median(rates.token.map((rate, round) => rate / (rates.key[round] ?? Number.NaN)));
      rows.push([
        connections,
        Math.round(median(rates.key)),
        Math.round(median(rates.token)),
        ratio.toFixed(2),
      ]);
    }
    return { text: markdownTable(['connections', 'key/s', 'token/s', 'ratio'], rows), errors: failures };
  } finally {
    for (const child of [load, service]) child.process.kill();
  }
};

async function tokenOf({ port, token: key }: Service): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['plugin:read'], subject: { id: 'user-17' }, expires_in: 3600 }),
  });
  if (!response.ok) throw new Error(`A token was rejected: ${response.status}.`);
  return ((await response.json()) as { readonly token: string }).token;
}

function requestsWith(credential: string): readonly LoadRequest[] {
  const headers = { authorization: `Bearer ${credential}` };
  return Array.from({ length: PROJECTS }, (_, n) => ({
    method: 'GET',
    path: `/api/projects/${n + 1}/plugin_configs/${(n + 1) * RECORDS_PER_PROJECT}/`,
    headers,
  }));
}
