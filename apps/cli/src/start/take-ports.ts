import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Address, type Addresses, StartError } from './start-settings.ts';

/** Long enough for the apps of a killed start to exit. */
const ATTEMPTS = 15;
const PAUSE_MS = 200;

/**
 * Checks that both ports are free by listening on them for a moment: if another instance had the port of an app, its responses
 * would make that app look ready. Resolves to the addresses with their actual ports, which a restarted app keeps.
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
      if (!isInUse(cause))
        throw new StartError(`Cannot listen on ${host}, port ${port} (${variable}): ${String(cause)}`);
      if (attempt < ATTEMPTS) await sleep(PAUSE_MS);
      else throw new StartError(await portInUse(address));
    }
  }
}

async function portInUse({ variable, host, port }: Address): Promise<string> {
  const holder = await holderOf(port);
  return `Port ${port} of ${host} is in use by ${holder}: stop it, or set ${variable} to a free port.`;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.');
  return address.port;
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

const run = promisify(execFile);

/** Describes the process that listens on the port, if the system reveals it. */
async function holderOf(port: number): Promise<string> {
  const pid =
    (await matchOutput(/^(\d+)/, 'lsof', '-nPt', `-iTCP:${port}`, '-sTCP:LISTEN')) ??
    (await matchOutput(/pid=(\d+)/, 'ss', '-Hltnp', `sport = :${port}`));
  if (pid === undefined) return 'another process';
  const command = (await matchOutput(/^(.+)/, 'ps', '-o', 'args=', '-p', pid)) ?? '';
  // The program and its first argument that is not an option, such as "node main.ts".
  const [program = '', ...args] = command.split(/\s+/);
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  return `process ${pid} (${`${basename(program)} ${first}`.trim()})`;
}

/** Returns the first group of the pattern in a program's output; undefined without a match or without the program. */
async function matchOutput(pattern: RegExp, program: string, ...args: string[]): Promise<string | undefined> {
  const output = await run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return pattern.exec(output)?.[1];
}
