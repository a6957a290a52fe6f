/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { PYTHON } from './testing/python.ts';

const CLIENT = fileURLToPath(new URL('../../../packages/client/src/', import.meta.url));
const NODE_RUNTIME = [process.execPath, join(CLIENT, 'testing/checked-runtime.main.ts')];
const run = promisify(execFile);

interface Checked {
  readonly kept: readonly string[];
  readonly broken: readonly string[];
  readonly code: number;
  readonly output: string;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtime-check-guide-'));
});
afterAll(async () => rm(folder, { recursive: true }));

/** Which part of the example is replaced by what. */
type Change = readonly [from: string, to: string];

/** Which options the command is checked with. */
interface Kind {
  readonly isHost: boolean;
  readonly hasJobs: boolean;
}

async function check(
  { isHost, hasJobs }: Kind,
  command: readonly string[],
  options: readonly string[] = [],
): Promise<Checked> {
  const args = [
    join(CLIENT, 'runtime/check/main.ts'),
    ...(isHost ? ['--all-projects'] : []),
    ...(hasJobs ? [] : ['--no-jobs']),
    ...options,
    '--',
    ...command,
  ];
  const { code, stdout } = await run(process.execPath, args).then(
    (done) => ({ ...done, code: 0 }),
    (error: unknown) => error as { readonly code: number; readonly stdout: string },
  );
  const named = (state: string) =>
    [...stdout.matchAll(new RegExp(`^${state} +(\\S+)`, 'gm'))].map(([, name = '']) => name);
  return { code, output: stdout, kept: named('kept'), broken: named('broken') };
}

/** Writes the Python example with this change, and returns the command that runs it. */
async function example(
  { isHost, hasJobs }: Kind,
  name: string,
  [from, to]: Change = ['', ''],
): Promise<readonly string[]> {
  const code = isHost
    ? await guideCode('runtimes/all-projects.md', 'python', '/instances/')
    : await guideCode('runtimes/python.md', 'python', '/runtimes/');
  const jobs = await Promise.all(
    [
      ['runtimes/jobs.md', '/claim'],
      ['runtimes/checking.md', 'def echo'],
    ].map(([page = '', part = '']) => guideCode(page, 'python', part)),
  );
  const files = {
    'main.py': `${hasJobs ? 'import jobs; jobs.start()\n' : ''}${code}`,
    'jobs.py': jobs.join('\n'),
  };
  expect(Object.values(files).join('')).toContain(from);
  await mkdir(join(folder, name));
  for (const [file, text] of Object.entries(files))
    await writeFile(join(folder, name, file), text.replaceAll(from, to));
  return [PYTHON, join(folder, name, 'main.py')];
}

/** The rules in the table of the guide. */
async function documentedRules({ isHost, hasJobs }: Kind): Promise<readonly string[]> {
  const guide = await readFile(new URL('../../../docs/runtimes/checking.md', import.meta.url), 'utf8');
  const [both = '', jobs = '', host = ''] = guide.split(
    /^(?:Unless you add `--no-jobs`|With `--all-projects`)/m,
  );
  const names = (text: string) => [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
  return [...names(both), ...(hasJobs ? names(jobs) : []), ...(isHost ? names(host) : [])];
}

const ONE = { isHost: false, hasJobs: true };
const HOST = { isHost: true, hasJobs: true };
const FOR_A_BUSY_MACHINE = ['--limit', '60'];

test.concurrent.for([
  ['the client', ONE, async () => NODE_RUNTIME],
  ['the client with all projects', HOST, async () => [...NODE_RUNTIME, 'all']],
  ['the Python runtime', ONE, async (kind: Kind) => example(kind, 'runtime')],
  ['the Python host', HOST, async (kind: Kind) => example(kind, 'host')],
] as const)('%s keeps all rules of the guide', async ([, kind, command]) => {
  const { output, code, kept } = await check(kind, await command(kind), FOR_A_BUSY_MACHINE);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(kept).toEqual(await documentedRules(kind));
});

test.concurrent('a runtime without jobs has to say so', async () => {
  const command = await example({ ...ONE, hasJobs: false }, 'without-jobs');
  const { output, code, broken } = await check(ONE, command);
  expect({ code, broken }).toEqual({ code: 1, broken: ['job'] });
  expect(output).toContain('It did not claim jobs of the type echo (see --no-jobs) within 15 s.');
});

const LOST_REPORT = `        try: send("PUT", f"/runtimes/{INSTANCE}", report).close()
        except Exception: os._exit(1)`;

/** One wrong runtime for each rule. */
const WRONG: Readonly<Record<string, Change>> = {
  poll: ['Bearer', 'Token'],
  report: ['/runtimes/{INSTANCE}", report', '/runtimes/{INSTANCE}", report | {"status": "ok"}'],
  'report-again': ['        send("PUT"', '        if config: send("PUT"'],
  'lost-reports': ['        send("PUT", f"/runtimes/{INSTANCE}", report).close()', LOST_REPORT],
  'last-version': ['report["version"])', '"version-1")'],
  'revoked-key': ['(401, 403, 404)', '(403, 404)'],
  'no-access': ['(401, 403, 404)', '(401,)'],
  'retry-after': ['"Retry-After"', '"Retry-Later"'],
  'back-off': ['else pause)', 'else 0.1)'],
  'cut-connections': ['except Exception as error:\n        if', 'except OSError as error:\n        if'],
  secrets: ['*sorted(record["config"])', 'record["config"]'],
  'private-file': ['0o600', '0o644'],
  'start-from-file': ['report = report or start()', 'pass'],
  'damaged-file': [
    'except Exception:\n        return None',
    'except FileNotFoundError:\n        return None',
  ],
  'atomic-file': ['FILE + ".new"', 'FILE'],
};
const WRONG_JOBS: typeof WRONG = {
  job: ['["jobs"]: work(job)', '["jobs"]: pass'],
  'job-failed': [
    '{"state": "failed", "error": str',
    '{"state": "failed" if stop.is_set() else "succeeded", "error": str',
  ],
  'claim-again': [
    '            time.sleep((int(retry_after)',
    '            time.sleep(1 or (int(retry_after)',
  ],
  'result-again': ['if is_answered and error.code', 'if method == "PUT" or is_answered and error.code'],
  'result-lost': ['(401, 403, 404, 409)', '(401, 403, 404)'],
  'job-renewed': ['min(LEASE / 3, 5)', 'LEASE * 3'],
  'job-cancelled': ['["cancelled"]: stop.set()', '["cancelled"]: pass'],
  'job-lost': ['return lost.set(), stop.set()', 'pass'],
};
const WRONG_HOST: typeof WRONG = {
  lines: ['print("run"', 'print("running"'],
  pages: ['None if page["more"] else 50', '50'],
  'same-version': ['if running.get(project_id) == project["version"]: continue', ''],
  gone: ['known.pop(project["project_id"], None)', 'pass'],
  reset: ['if page["reset"]: unseen', 'if False: unseen'],
  'too-large': [
    'if "results" in project: known[project["project_id"]] = project',
    'known[project["project_id"]] = {"results": [], **project}',
  ],
};

test.concurrent.for([
  ...Object.entries(WRONG).map(([rule, change]) => [rule, { ...ONE, hasJobs: false }, change] as const),
  ...Object.entries(WRONG_JOBS).map(([rule, change]) => [rule, ONE, change] as const),
  ...Object.entries(WRONG_HOST).map(([rule, change]) => [rule, { ...HOST, hasJobs: false }, change] as const),
])('a runtime can break only the rule %s', async ([rule, kind, change]) => {
  const { output, code, broken } = await check(kind, await example(kind, `wrong-${rule}`, change));
  expect({ code, broken, output }).toMatchObject({ code: 1, broken: [rule] });
});

test('each rule has a wrong runtime', async () => {
  const wrong = [WRONG, WRONG_JOBS, WRONG_HOST].flatMap((one) => Object.keys(one));
  expect(wrong.toSorted()).toEqual((await documentedRules(HOST)).toSorted());
});
