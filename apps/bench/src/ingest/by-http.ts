import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startApp } from '../app-process.ts';
import { watchPeakMb } from '../peak-memory.ts';
import type { IngestPath } from './ingest-path.ts';

const BODY_BYTES = 2 * 1024 * 1024;
const SENDERS = 4;
const NEWLINE = 0x0a;

/** Pushes bodies over HTTP with a few concurrent senders. The bodies are in memory before the measurement starts. */
export const byHttp: IngestPath = async ({ databaseUrl, token, files, env }) => {
  const bodies = bodiesOf(await readFile(files.lines));
  const worker = await startApp('worker', { DATABASE_URL: databaseUrl, ...env });
  const peakMb = watchPeakMb(worker.process);
  const agent = new Agent({ keepAlive: true });
  const push = pusher(`http://127.0.0.1:${worker.port}/ingest`, token, agent);
  try {
    const started = performance.now();
    const waiting = bodies.values();
    const send = async (): Promise<void> => {
      for (const body of waiting) await push(body);
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    return { seconds: (performance.now() - started) / 1000, peakMb: peakMb() };
  } finally {
    agent.destroy();
    await worker.stop();
  }
};

/** Splits the lines into bodies at line ends. */
function bodiesOf(lines: Buffer): readonly Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < lines.length;) {
    const to = lines.lastIndexOf(NEWLINE, from + BODY_BYTES) + 1;
    bodies.push(lines.subarray(from, to));
    from = to;
  }
  return bodies;
}

function pusher(url: string, token: string, agent: Agent): (body: Buffer) => Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  return async (body) => {
    const pushed = request(url, { method: 'POST', agent, headers }).end(body);
    const [response] = (await once(pushed, 'response')) as [IncomingMessage];
    const report = await text(response);
    if (response.statusCode !== 200)
      throw new Error(`A push failed with status ${response.statusCode}: ${report}`);
  };
}
