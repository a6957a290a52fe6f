import { readFileSync } from 'node:fs';
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { startEmbeddedPostgres } from '@plugin-config/persistence/embedded';
import { migrate } from '@plugin-config/persistence';
import { makeBed } from './bed.ts';
import { aRecord } from '@plugin-config/testing';
const [, , mode = 'http', N_ = '500000', per_ = '5000', senders_ = '4', gen = ''] = process.argv;
const N = Number(N_), per = Number(per_), senders = Number(senders_);
const pgc = await startEmbeddedPostgres({ dataDir: '/tmp/perf/data3', durable: true });
await migrate(pgc.url);
const bed = await makeBed(pgc.url);
await bed.rows('truncate log_entry, log_block, log_kind, dead_letter cascade').catch(e => console.log(e.message));
const records = [bed.record.id]; for (let i = 1; i < 20; i++) records.push((await aRecord(bed.ports, bed.family)).id);
const rss = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) / 100; };
const { readdirSync } = await import('node:fs');
const all = (name: string) => { let t = 0; for (const d of readdirSync('/proc')) { if (!/^\d+$/.test(d)) continue; try { const c = readFileSync(`/proc/${d}/cmdline`, 'utf8'); const parent = readFileSync(`/proc/${d}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]; if (name === 'pg' ? (Number(d) === pgc.pid || Number(parent) === pgc.pid) : c.includes(name)) t += cpu(Number(d)); } catch {} } return t; };
const env: any = { LOG_LEVEL: 'warn', NODE_OPTIONS: process.env['WORKER_NODE_OPTIONS'] ?? '' };
const line = (j: number, t0: number) => JSON.stringify({ id: randomUUID(), plugin_config_id: records[j % 20], timestamp: new Date(t0 + j).toISOString(), source: 'PLUGIN', type: 'LOG', message: `message number ${j} ${'x'.repeat(60)}`, instance_id: '0190f2a0-0000-7000-8000-000000000001' });
const t0 = Date.now() - 3600_000 * Math.random() * 20;
if (mode === 'http') {
  const bodies: Buffer[] = [];
  for (let i = 0; i < N; i += per) { const a = []; for (let j = i; j < i + per; j++) a.push(line(j, t0)); bodies.push(Buffer.from(a.join('\n'))); }
  const w = bed.run({ ...env, LOG_LEVEL: 'info' }); const url = await w.url(); const pid = w.child.pid!;
  let peak = 0; const timer = setInterval(() => { peak = Math.max(peak, rss(pid)); }, 50);
  const mem = async () => { const m = await (await fetch(url + '/metrics')).text(); const g = (n: string) => Math.round(Number(new RegExp('^' + n + ' (.*)$', 'm').exec(m)?.[1] ?? 0) / 1e6); console.log('mem', Math.round(rss(pid)), 'heapTotal', g('nodejs_heap_size_total_bytes'), 'used', g('nodejs_heap_size_used_bytes'), 'ext', g('nodejs_external_memory_bytes'), [...m.matchAll(/nodejs_heap_space_size_total_bytes\{space="(\w+)"\} (.*)/g)].map((x) => x[1] + '=' + Math.round(Number(x[2]) / 1e6)).join(' ')); };
  await mem(); if (gen) setInterval(mem, 700);
  const agent = new http.Agent({ keepAlive: true, maxSockets: senders });
  const post = (b: Buffer) => new Promise<any>((res, rej) => { const r = http.request(url + '/ingest', { agent, method: 'POST', headers: { authorization: `Bearer ${bed.token}`, 'content-type': 'application/x-ndjson', 'content-length': b.length } }, (m) => { let s = ''; m.on('data', (d) => s += d).on('end', () => res({ status: m.statusCode, ...JSON.parse(s) })); }); r.on('error', rej); r.end(b); });
  const c0 = cpu(pid), g0 = all('pg'), t = performance.now(); let stored = 0; let k = 0;
  await Promise.all(Array.from({ length: senders }, async () => { while (k < bodies.length) { const r = await post(bodies[k++]!); if (r.status !== 200) console.log(r); stored += r.stored; } }));
  const s = (performance.now() - t) / 1000;
  console.log({ mode, stored, rate: Math.round(stored / s), workerCpu: cpu(pid) - c0, pg: all('pg') - g0, us: ((cpu(pid) - c0 + all('pg') - g0) / stored * 1e6), seconds: s, peak: Math.round(peak) });
  clearInterval(timer); w.child.kill('SIGTERM'); console.log('exit', await w.exited);
} else if (mode === 'file') {
  const { writeFileSync } = await import('node:fs'); const a = []; for (let j = 0; j < N; j++) a.push(line(j, t0)); writeFileSync('/tmp/perf/f.ndjson', a.join('\n'));
  for (let k = 0; k < 2; k++) { const w = bed.run(env, ['--input', '/tmp/perf/f.ndjson']); const pid = w.child.pid!; let peak = 0; const timer = setInterval(() => { try { peak = Math.max(peak, rss(pid)); } catch {} }, 50); await w.exited; clearInterval(timer); console.log(w.stderr(), w.stdout(), Math.round(peak)); }
} else {
  const { startNatsServer } = await import('./nats-server.ts'); const { connect } = await import('@nats-io/transport-node'); const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  const server = await startNatsServer(); const nc = await connect({ servers: server.url }); const jsm = await jetstreamManager(nc); await jsm.streams.add({ name: 'PLUGIN_LOGS', subjects: ['plugin.logs.>'] });
  const js = jetstream(nc); let p: Promise<unknown>[] = [];
  for (let j = 0; j < N; j++) { p.push(js.publish('plugin.logs.x', line(j, t0))); if (p.length === 3000) { await Promise.all(p); p = []; } } await Promise.all(p);
  const w = bed.run({ ...env, LOG_LEVEL: 'info', NATS_URL: server.url }); const url = await w.url(); const pid = w.child.pid!; const t = performance.now(); const c0 = cpu(pid), g0 = all('pg'), n0 = all('nats-server');
  let peak = 0; let n = 0; while (n < N) { await new Promise((r) => setTimeout(r, 25)); peak = Math.max(peak, rss(pid)); const m = await (await fetch(url + '/metrics')).text(); n = Number(/log_entries_total\{outcome="stored",reason=""\} (\d+)/.exec(m)![1]); }
  const s = (performance.now() - t) / 1000; console.log({ pg: all('pg') - g0, nats: all('nats-server') - n0, us: ((cpu(pid) - c0 + all('pg') - g0 + all('nats-server') - n0) / n * 1e6), mode, n, rate: Math.round(n / s), workerCpu: cpu(pid) - c0, seconds: s, peak: Math.round(peak) });
  w.child.kill('SIGTERM'); console.log('exit', await w.exited); const ci = await jsm.consumers.info('PLUGIN_LOGS', 'plugin-config-worker'); console.log(ci.num_pending, ci.num_ack_pending, ci.num_redelivered); await nc.close(); await server[Symbol.asyncDispose]();
}
await bed[Symbol.asyncDispose](); await pgc.stop(); process.exit(0);
