/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programPath } from '../../../tools/programs.ts';
import { guideCode } from './testing/guide-code.ts';

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

async function check(isHost: boolean, command: readonly string[]): Promise<Checked> {
  const args = [
    join(CLIENT, 'runtime/check/main.ts'),
    ...(isHost ? ['--all-projects'] : []),
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
async function example(isHost: boolean, name: string, from = '', to = ''): Promise<readonly string[]> {
  const code = await guideCode('runtimes.md', 'python', isHost ? '/instances/' : '/runtimes/');
  expect(code).toContain(from);
  const path = join(folder, `${name}.py`);
  await writeFile(path, code.replaceAll(from, to));
  return [programPath('python3'), path];
}

/** The rules in the table of the guide. */
async function documentedRules(isHost: boolean): Promise<readonly string[]> {
  const guide = await readFile(new URL('../../../docs/runtimes.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## Checking a runtime\n');
  const [both = '', host = ''] = section.split('With `--all-projects`');
  const names = (text: string) => [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
  return [...names(both), ...(isHost ? names(host) : [])];
}

test.concurrent.for([
  ['the client', false, async () => NODE_RUNTIME],
  ['the client with all projects', true, async () => [...NODE_RUNTIME, 'all']],
  ['the Python runtime', false, async () => example(false, 'runtime')],
  ['the Python host', true, async () => example(true, 'host')],
] as const)('%s keeps all rules of the guide', async ([, isHost, command]) => {
  const { output, code, kept } = await check(isHost, await command());
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(kept).toEqual(await documentedRules(isHost));
});

const LOST_REPORT = `        try: send("PUT", f"/runtimes/{INSTANCE}", report).close()
        except Exception: os._exit(1)`;

/** One wrong runtime for each rule: which part of the example is replaced by what. */
const WRONG: Readonly<Record<string, readonly [from: string, to: string]>> = {
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
  ...Object.entries(WRONG).map(([rule, change]) => [rule, false, change] as const),
  ...Object.entries(WRONG_HOST).map(([rule, change]) => [rule, true, change] as const),
])('a runtime can break only the rule %s', async ([rule, isHost, [from, to]]) => {
  const { output, code, broken } = await check(isHost, await example(isHost, `wrong-${rule}`, from, to));
  expect({ code, broken, output }).toMatchObject({ code: 1, broken: [rule] });
});

test('each rule has a wrong runtime', async () => {
  expect([...Object.keys(WRONG), ...Object.keys(WRONG_HOST)].toSorted()).toEqual(
    (await documentedRules(true)).toSorted(),
  );
});
