import { createReadStream, existsSync, writeFileSync, openSync, writeSync, closeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../../packages/persistence/src/embedded/index.ts';
import { migrate } from '../../../packages/persistence/src/migrate.ts';
import { openDatabase } from '../../../packages/persistence/src/database.ts';
import { postgresIngestStore } from '../../../packages/persistence/src/log-entry/postgres-ingest-store.ts';
import { postgresLogUpkeep } from '../../../packages/persistence/src/log-entry/postgres-log-upkeep.ts';
import { keepLogs } from '@plugin-config/domain';
import { ingestFrom } from './loops/ingest-from.ts';
import { ndjsonSource } from './sources/ndjson/ndjson-source.ts';
const N = Number(process.argv[2] ?? 500_000); const RECORDS = 20;
const pgc = await startEmbeddedPostgres({ dataDir: '/tmp/perf/data', durable: true });
await migrate(pgc.url);
const db = await openDatabase({ url: pgc.url, poolSize: 10 });
const { pool } = db;
await pool.query(`truncate project, config_family, config_record, log_entry, log_block, dead_letter cascade`);
await pool.query(`insert into project (id, name, created_at) values (1,'a',now()) on conflict do nothing`);
await pool.query(`insert into config_family (project_id, family) values (1,'plugin_configs') on conflict do nothing`);
for (let i = 1; i <= RECORDS; i++) await pool.query(`insert into config_record (id, project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version) values ($1,1,'plugin_configs',3,true,$1,'{}','{}',false,now(),now(),1)`, [i]);
const file = `/tmp/perf/${N}.ndjson`;
if (!existsSync(file)) {
  const fd = openSync(file, 'w');
  const t0 = Date.now() - 3600_000;
  for (let i = 0; i < N; i += 1000) {
    let s = '';
    for (let j = i; j < i + 1000; j++) s += JSON.stringify({ id: randomUUID(), plugin_config_id: (j % RECORDS) + 1, timestamp: new Date(t0 + j).toISOString(), source: 'PLUGIN', type: 'LOG', message: `message number ${j} ${'x'.repeat(60)}`, instance_id: '0190f2a0-0000-7000-8000-000000000001' }) + '\n';
    writeSync(fd, s);
  }
  closeSync(fd);
}
const clock = { now: () => new Date() };
await keepLogs({ upkeep: postgresLogUpkeep({ pool }), clock, retentionDays: 7 });
let n = 0; const seen: any = {};
const source = ndjsonSource({ open: (signal) => createReadStream(file, { highWaterMark: 1 << 20, signal }), time: new Date() });
const t = performance.now(); const cpu = process.cpuUsage();
await ingestFrom(source, { store: postgresIngestStore({ pool }), clock, retentionDays: 7, instanceId: randomUUID(), randomness: { uuid: randomUUID, bytes: () => new Uint8Array() }, logger: pino(), meter: { observe: (c, o, s) => { n += o.length; for (const x of o) seen[x] = (seen[x] ?? 0) + 1; } } }, new AbortController().signal);
const s = (performance.now() - t) / 1000; const c = process.cpuUsage(cpu);
console.log({ n, seen, seconds: s, rate: Math.round(n / s), cpu: (c.user + c.system) / 1e6, rss: process.memoryUsage().rss / 1e6 });
await db.close(); await pgc.stop();
