import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { startService, type Service } from '../http/service.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Part } from '../part.ts';
import { watchPeakMb } from '../peak-memory.ts';

const CLI = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
const RECORDS = 5;
const GOAL_PER_SECOND = 10_000 / 300;
const SCHEMA = [
  { key: 'host', type: 'string', required: true },
  { key: 'mode', type: 'choice', choices: ['fast', 'safe'], default: 'safe' },
  { key: 'token', type: 'string', secret: true },
];

/** Measures an import of tenants of five records, its repetition, and one in which every record changes. */
export const importPart: Part = async ({ databaseUrl, tenants }) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-import-'));
  const service = await startService(databaseUrl);
  try {
    await registerPlugin(service);
    const first = await write(join(folder, 'first.ndjson'), tenants, 'first');
    const second = await write(join(folder, 'second.ndjson'), tenants, 'second');
    const runs = [
      ['new', await importFile(service, first)],
      ['unchanged', await importFile(service, first)],
      ['every record changes', await importFile(service, second)],
    ] as const;
    const rows = runs.map(([what, { seconds, peakMb }]) => [
      `${tenants} tenants, ${what}`,
      seconds.toFixed(1),
      (tenants / seconds).toFixed(0),
      GOAL_PER_SECOND.toFixed(0),
      `${peakMb.toFixed(0)} MB`,
    ]);
    const columns = [
      'import of tenants of five records',
      'seconds',
      'a second',
      'goal',
      'peak memory of the command',
    ];
    return { text: markdownTable(columns, rows), errors: runs.filter(([, { code }]) => code !== 0).length };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
};

async function registerPlugin({ port, token }: Service): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/plugins/3`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'GeoIP', config_schema: SCHEMA }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function write(path: string, tenants: number, host: string): Promise<string> {
  const records = (tenant: number) =>
    Array.from({ length: RECORDS }, (_, n) => ({
      key: `plugin-${n}`,
      plugin: 3,
      enabled: true,
      name: `Plugin ${n}`,
      config: { host: `${host}.example.com`, mode: 'fast', token: `token-${tenant}-${n}` },
    }));
  const lines = function* () {
    for (let tenant = 1; tenant <= tenants; tenant++)
      yield `${JSON.stringify({ external_id: `team-${tenant}`, name: `Team ${tenant}`, plugin_configs: records(tenant) })}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

async function importFile({ port, token }: Service, path: string) {
  const started = performance.now();
  const env = { ...process.env, API_URL: `http://127.0.0.1:${port}`, API_KEY: token };
  const child = spawn(process.execPath, [CLI, 'import', path], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const peakMb = watchPeakMb(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, seconds: (performance.now() - started) / 1000, peakMb: peakMb() };
}
