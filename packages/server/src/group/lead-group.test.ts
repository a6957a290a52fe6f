import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../tools/free-port.ts';
import { runProcess } from '../testing/run-process.ts';
import { until } from '../testing/until.ts';
import type { GroupPolicy } from './group-policy.ts';

const MAIN = fileURLToPath(new URL('stand-in/app.ts', import.meta.url));
const PATIENCE_MS = 60_000;
/** Far less than the wait for an answer of the leader. */
const AT_ONCE_MS = 1_000;

/** A group of stand-ins, and a file that breaks those that start from now on. */
async function runStandIns(size: number, state: object = {}, policy: Partial<GroupPolicy> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'group-'));
  const file = join(folder, 'state.json');
  const breakNew = (how: object): Promise<void> => writeFile(file, JSON.stringify(how));
  await breakNew(state);
  const port = await freePort();
  const env = {
    PROCESSES: String(size),
    PORT: String(port),
    BROKEN: pathToFileURL(file).href,
    POLICY: JSON.stringify(policy),
  };
  const running = runProcess({ main: MAIN, env });
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    running.child.kill('SIGCONT');
    await running.exited;
    await rm(folder, { recursive: true });
  });
  const read = (path: string, withinMs = 10_000): Promise<string | null> =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(withinMs) }).then(
      (answer) => answer.text(),
      () => null,
    );
  const pids = async (asked = 6): Promise<ReadonlySet<number>> =>
    new Set((await Promise.all(Array.from({ length: asked }, () => read('/')))).map(Number).filter(Boolean));
  const logged = () =>
    running
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).msg as string);
  return { ...running, read, pids, logged, breakNew };
}

const isReady = async ({ read }: { read(path: string): Promise<string | null> }) =>
  (await read('/readyz')) === '';

test('a process that hangs is killed and replaced, while the other one serves', async () => {
  const group = await runStandIns(2);
  await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
  const [hung = 0] = await group.pids();
  process.kill(hung, 'SIGSTOP');
  expect([...(await group.pids(20))]).not.toContain(hung);
  expect(await isReady(group)).toBe(true);
  const report = 'a process gave no answer for 5 s and was killed, and is started again';
  await until(() => group.logged().includes(report), PATIENCE_MS);
  expect(() => process.kill(hung, 0)).toThrow('ESRCH');
  await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
});

test('a process that ends again and again is started after growing pauses, while the others serve', async () => {
  const group = await runStandIns(2);
  await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
  await group.breakNew({ exitCode: 7 });
  await group.read('/exit');
  const pauses = () => [...group.stdout().matchAll(/"pause_ms":(\d+)/g)].map(([, ms]) => Number(ms));
  await until(() => pauses().length >= 4, PATIENCE_MS);
  expect(pauses().slice(0, 4)).toEqual([50, 100, 200, 400]);
  expect(await isReady(group)).toBe(true);
  expect((await group.pids(20)).size).toBe(1);
  await group.breakNew({});
  await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
});

test('a group whose processes all cannot work says why', async () => {
  const group = await runStandIns(2, { reason: 'The database is away.' });
  await until(async () => (await group.read('/readyz')) === 'The database is away.', PATIENCE_MS);
});

test('why the processes of a group cannot tell whether they work is in their log alone', async () => {
  const group = await runStandIns(2, { failure: '10.0.0.5 refused' });
  const told = 'The process cannot tell whether it works.';
  await until(async () => (await group.read('/readyz')) === told, PATIENCE_MS);
  await until(() => group.stdout().includes('10.0.0.5 refused'), PATIENCE_MS);
});

test.for([{ reason: 'The database is away.' }, { exitCode: 2 }])(
  'if new processes are not ready (%o), SIGHUP changes nothing',
  async (how) => {
    const group = await runStandIns(2);
    let before: ReadonlySet<number> = new Set();
    await until(async () => (before = await group.pids()).size === 2, PATIENCE_MS);
    await group.breakNew(how);
    group.child.kill('SIGHUP');
    const refusal = 'a new process did not become ready: the others go on';
    await until(() => group.logged().includes(refusal), PATIENCE_MS);
    await until(async () => (await group.pids(20)).isSubsetOf(before), PATIENCE_MS);
    expect(await isReady(group)).toBe(true);
  },
);

test('a group whose first process cannot start ends with its exit code', async () => {
  const group = await runStandIns(2, { exitCode: 2 });
  expect(await group.exited).toBe(2);
});

test('processes end with their leader, also if that is killed', async () => {
  const group = await runStandIns(2);
  await until(() => isReady(group), PATIENCE_MS);
  const pids = await group.pids(20);
  group.child.kill('SIGKILL');
  await group.exited;
  for (const pid of pids) await until(() => !isAlive(pid));
});

test.for(['is stopped', 'computes for ever'])(
  'a process that %s ends with its leader, also if that is killed',
  async (how) => {
    const group = await runStandIns(2);
    await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
    const all = await group.pids(20);
    if (how === 'is stopped') all.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    else await Promise.all([...all].map(() => group.read('/hang')));
    group.child.kill('SIGKILL');
    for (const pid of all) await until(() => !isAlive(pid));
  },
);

test('a leader that hangs is killed by its processes, which end with it', async () => {
  const group = await runStandIns(2);
  await until(async () => (await group.pids()).size === 2, PATIENCE_MS);
  const pids = await group.pids(20);
  group.child.kill('SIGSTOP');
  await until(() => group.child.signalCode === 'SIGKILL', PATIENCE_MS);
  expect(group.stderr()).toContain('The leader of the processes asked nothing for 5 s, and is killed.\n');
  for (const pid of pids) await until(() => !isAlive(pid));
});

test.for(['/readyz', '/metrics'])(
  'while the leader is silent, %s is refused with the reason, and at once',
  async (path) => {
    const group = await runStandIns(2, {}, { unansweredMax: 1_000 });
    await until(() => isReady(group), PATIENCE_MS);
    group.child.kill('SIGSTOP');
    const refusal = 'unavailable: The processes of this machine cannot reach each other.';
    await until(async () => (await group.read(path, AT_ONCE_MS)) === refusal, PATIENCE_MS);
    group.child.kill('SIGCONT');
    await until(() => isReady(group), PATIENCE_MS);
  },
);

test('a group that is stopped while its first process starts does not start the others', async () => {
  const group = await runStandIns(3, { bootMs: 4_000 });
  await until(() => group.logged().includes('begins'), PATIENCE_MS);
  group.child.kill('SIGTERM');
  expect(await group.exited).toBe(0);
  expect([group.logged(), group.stderr()]).toEqual([['begins'], '']);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
