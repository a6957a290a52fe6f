import { spawn, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  scriptedService,
  type Claim,
  type Poll,
  type ScriptedService,
  type SeenReport,
} from './scripted-service.ts';
import { accepts, JOB_TYPE, KEY, LEASE_SECONDS, type Wire } from './wire.ts';

/** Thrown by the script of a rule that the runtime does not keep. */
export class BrokenRule extends Error {}

/** One run of a rule: the command under test with a service and a folder of its own. */
export interface Trial {
  readonly wire: Wire;
  readonly service: Omit<ScriptedService, 'url' | 'close'>;
  /** The path of the file for starts without the service. */
  readonly file: string;
  start(): void;
  /** Kills the command with all its processes. */
  kill(): Promise<void>;
  /** Kills the command at the first change in the folder of the file, or after some seconds without one. */
  killAtFirstWrite(): Promise<void>;
  /** Starts the command, sends the configuration, and resolves to the poll after it. */
  begin(version: string): Promise<Poll>;
  nextPoll(): Promise<Poll>;
  /** Resolves to a request for jobs of the type that is tested. */
  nextClaim(): Promise<Claim>;
  /** Resolves to the first report after this many. */
  nextReport(seen: number): Promise<SeenReport>;
  /** Resolves when the runtime has written its file. */
  fileWritten(): Promise<void>;
  /** Everything that the command has printed. */
  output(): string;
  /** Waits for as long as the command may take for each step, unless told otherwise. */
  until(condition: () => boolean | Promise<boolean>, failure: string, limitMs?: number): Promise<void>;
}

interface Command {
  readonly command: readonly string[];
  readonly wire: Wire;
  readonly limitMs: number;
}

const LOOK_EVERY_MS = 20;
const FIRST_WRITE_MS = 3_000;
const NO_CLAIM = `It did not claim jobs of the type ${JOB_TYPE} (see --no-jobs)`;
const running = new Set<ChildProcess>();

/** Runs the script of a rule. Always leaves neither processes nor files behind. */
export async function runTrial(options: Command, script: (trial: Trial) => Promise<void>): Promise<void> {
  const { command, wire, limitMs } = options;
  const [program = '', ...args] = command;
  const service = await scriptedService();
  const folder = await mkdtemp(join(tmpdir(), 'runtime-check-'));
  const file = join(folder, 'config');
  let child: ChildProcess | null = null;
  let printed = '';

  const start = (): void => {
    const env = {
      ...process.env,
      API_URL: service.url,
      API: service.url + wire.path,
      KEY,
      CONFIG_FILE: file,
      INSTANCE: 'runtime-check',
      LEASE_SECONDS: String(LEASE_SECONDS),
    };
    // A process group, so that a kill also reaches what a shell or npm has started.
    const started = spawn(program, args, {
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    running.add(started);
    const take = (chunk: Buffer): void => void (printed += chunk.toString());
    started.stdout.on('data', take);
    started.stderr.on('data', take);
    started.on('error', (error) => (printed += error.message));
    started.on('close', () => running.delete(started));
  };

  const kill = async (): Promise<void> => {
    const started = child;
    child = null;
    if (started === null) return;
    killGroup(started);
    while (running.has(started)) await sleep(LOOK_EVERY_MS);
    // Nobody waits for the responses to these any more.
    service.polls.length = 0;
    service.claims.length = 0;
  };

  const until: Trial['until'] = async (condition, failure, waitMs = limitMs) => {
    const deadline = performance.now() + waitMs;
    while (!(await condition())) {
      if (child !== null && !running.has(child)) {
        if (await condition()) return;
        throw new BrokenRule(`The command ended: ${lastLine(printed) || 'without output'}`);
      }
      if (performance.now() > deadline) throw new BrokenRule(`${failure} within ${waitMs / 1000} s.`);
      await sleep(LOOK_EVERY_MS);
    }
  };

  const nextPoll = async (): Promise<Poll> => {
    await until(() => service.polls.length > 0, 'It did not poll');
    const [poll] = service.polls.splice(0, 1);
    if (poll === undefined) throw new BrokenRule('It did not poll.');
    return poll;
  };

  const trial: Trial = {
    wire,
    service,
    file,
    start,
    kill,
    async killAtFirstWrite() {
      const written = new AbortController();
      const watcher = watch(folder, () => {
        if (child !== null) killGroup(child);
        written.abort();
      });
      await sleep(FIRST_WRITE_MS, undefined, { signal: written.signal }).catch(() => undefined);
      watcher.close();
      await kill();
    },
    async begin(version) {
      start();
      const first = await nextPoll();
      first.respond(wire.configuration(version));
      return nextPoll();
    },
    nextPoll,
    async nextClaim() {
      await until(() => service.claims.some(accepts), NO_CLAIM);
      const claim = service.claims.find(accepts);
      if (claim === undefined) throw new BrokenRule(`${NO_CLAIM}.`);
      service.claims.splice(service.claims.indexOf(claim), 1);
      return claim;
    },
    async nextReport(seen) {
      await until(() => service.reports.length > seen, 'It did not report');
      const report = service.reports[seen];
      if (report === undefined) throw new BrokenRule('It did not report.');
      return report;
    },
    fileWritten: async () => until(() => exists(file), 'It did not write the file CONFIG_FILE'),
    output: () => printed,
    until,
  };
  try {
    await script(trial);
  } finally {
    await kill();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills all commands that still run. */
export function killAll(): void {
  for (const child of running) killGroup(child);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
}
