import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';
import type { Address, Addresses } from './start-settings.ts';

/** As long as the apps of a killed start usually need to end. */
const ATTEMPTS = 15;
const PAUSE_MS = 200;

/**
 * Checks that both ports are free by listening on both and closing them again: an app whose port another instance holds
 * would otherwise look ready, because the other one responds. Resolves to the addresses with their real ports, so that an
 * app keeps its port when it is restarted.
 */
export async function takePorts({ http, worker }: Addresses): Promise<Addresses> {
  await using servers = new AsyncDisposableStack();
  return { http: await take(http, servers), worker: await take(worker, servers) };
}

async function take(address: Address, servers: AsyncDisposableStack): Promise<Address> {
  const { variable, host, port } = address;
  for (let attempt = 1; ; attempt++) {
    const server = createServer().listen({ host, port });
    try {
      await once(server, 'listening');
      servers.use(server);
      return { ...address, port: portOf(server) };
    } catch (cause) {
      if (!isTaken(cause))
        throw new StartError(`Cannot listen on ${host}, port ${port} (${variable}): ${String(cause)}`);
      if (attempt < ATTEMPTS) await sleep(PAUSE_MS);
      else throw new StartError(await taken(address));
    }
  }
}

async function taken({ variable, host, port }: Address): Promise<string> {
  const holder = await holderOf(port);
  return `Port ${port} of ${host} is taken by ${holder}: stop it, or set ${variable} to a free one.`;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server listens on no port.');
  return address.port;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

const run = promisify(execFile);

/** Describes the process that listens on the port, as far as the system tells. */
async function holderOf(port: number): Promise<string> {
  const pid =
    (await found(/^(\d+)/, 'lsof', '-nPt', `-iTCP:${port}`, '-sTCP:LISTEN')) ??
    (await found(/pid=(\d+)/, 'ss', '-Hltnp', `sport = :${port}`));
  if (pid === undefined) return 'another process';
  const command = (await found(/^(.+)/, 'ps', '-o', 'args=', '-p', pid)) ?? '';
  // The program and its first argument, without the options of an interpreter.
  const [program = '', ...args] = command.split(/\s+/);
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  return `process ${pid} (${`${basename(program)} ${first}`.trim()})`;
}

/** What the pattern finds in the output of a program; undefined if nothing, or if there is no such program. */
async function found(pattern: RegExp, program: string, ...args: string[]): Promise<string | undefined> {
  const output = await run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return pattern.exec(output)?.[1];
}
