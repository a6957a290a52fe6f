import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNALS } from '@plugin-config/domain';
import { startApp } from '../app-process.ts';
import { startChild } from '../http/child.ts';
import type { LoadRequest, LoadResult } from '../http/load.ts';
import { request } from '../http/scenarios.ts';
import { startService, type Service } from '../http/service.ts';
import { byHttp } from '../ingest/by-http.ts';
import { RECORDS, writeEntries } from '../ingest/write-entries.ts';
import { issueToken } from '../issue-token.ts';
import type { PartOptions } from '../part.ts';
import { seedRecords } from '../seed-records.ts';

const CONNECTIONS = 20;
const EACH = 10;
const VARIANTS = 40_000;
/** They are never breached, so the webhooks of incidents have no deliveries. */
const THRESHOLDS: Partial<Record<(typeof SIGNALS)[number], number>> = { delivery_rate: 0.9, log: 10_000 };
const SETTINGS = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1' };

/** Speeds with ten alerts and ten webhooks, relative to the speed without in the same round. */
export interface WatchedResult {
  /** The webhooks get incidents. */
  readonly patches: readonly number[];
  /** The webhooks get every change as well. */
  readonly deliveredPatches: readonly number[];
  readonly pushes: readonly number[];
}

/** Compares writes to a project with and without alerts and webhooks, alternately, while a worker evaluates and delivers. */
export async function benchWatched(options: PartOptions): Promise<WatchedResult> {
  const { databaseUrl, rounds } = options;
  await seedRecords(databaseUrl, 1, RECORDS);
  const receiver = createServer((received, response) =>
    received.resume().on('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const service = await startService(databaseUrl, SETTINGS);
  try {
    const incidents = watcher(service, url, ['incident.opened', 'incident.closed']);
    const changes = watcher(service, url, ['incident.opened', 'incident.closed', 'record.updated']);
    const patchesPerSecond = patcher(service, options);
    const pushesPerSecond = await pusher(options);
    const result = { patches: [] as number[], deliveredPatches: [] as number[], pushes: [] as number[] };
    await patchesPerSecond();
    for (let round = 1; round <= rounds; round++) {
      result.patches.push(await ratio(patchesPerSecond, incidents));
      result.deliveredPatches.push(await ratio(patchesPerSecond, changes));
      result.pushes.push(await ratio(pushesPerSecond, incidents));
      process.stderr.write(`with ten alerts and ten webhooks, round ${round}\n`);
    }
    return result;
  } finally {
    await service.stop();
    receiver.close();
  }
}

type Measure = () => Promise<number>;
/** Creates alerts and webhooks. Resolves to a function that deletes them. */
type Watch = () => Promise<() => Promise<void>>;

async function ratio(perSecond: Measure, watch: Watch): Promise<number> {
  const alone = await perSecond();
  const unwatch = await watch();
  const watched = await perSecond();
  await unwatch();
  return watched / alone;
}

function watcher({ port, token }: Service, url: string, events: readonly string[]): Watch {
  const base = `http://127.0.0.1:${port}/api/projects/1`;
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${base}/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const create = async (path: string, body: object): Promise<string> => {
    const { id } = (await (await send('POST', path, body)).json()) as { id: number };
    return `${path}${id}/`;
  };
  return async () => {
    const created: string[] = [];
    for (let n = 0; n < EACH; n++) {
      const signal = SIGNALS[n % SIGNALS.length] ?? 'error';
      const rule = { name: `Alert ${n}`, family: 'plugin_configs', signal, window_minutes: 15 };
      created.push(await create('alerts/', { ...rule, threshold: THRESHOLDS[signal] ?? null }));
      created.push(await create('webhooks/', { url: `${url}/${n}`, events }));
    }
    return async () => {
      for (const path of created) await send('DELETE', path);
    };
  };
}

function patcher({ port, token }: Service, { databaseUrl, seconds }: PartOptions): Measure {
  let turn = 0;
  return async () => {
    const worker = await startApp('worker', { DATABASE_URL: databaseUrl, ...SETTINGS });
    const load = startChild('../http/load.ts');
    const requests = Array.from({ length: VARIANTS }, (): LoadRequest => {
      const path = `/api/projects/1/plugin_configs/${1 + (++turn % RECORDS)}/`;
      return request('PATCH', path, token, { name: `Renamed ${turn}` });
    });
    const result = await load.request<LoadResult>({ port, connections: CONNECTIONS, seconds, requests });
    load.process.kill();
    await worker.stop();
    if (result.failed > 0) throw new Error(`${result.failed} changes failed.`);
    return result.perSecond;
  };
}

async function pusher({ databaseUrl, entries }: PartOptions): Promise<Measure> {
  const token = await issueToken(databaseUrl, 'plugin_log:write');
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-entries-'));
    const files = await writeEntries(folder, entries);
    const { seconds } = await byHttp({ databaseUrl, token, files, env: SETTINGS });
    await rm(folder, { recursive: true });
    return entries / seconds;
  };
}
