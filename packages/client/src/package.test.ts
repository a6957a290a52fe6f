import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presentNodes } from '../../../tools/present-nodes.ts';
import { chosen } from '../../../tools/property-runs.ts';
import { EVERY_KIND_OF_CALL, EXPECTED_OUTCOME, responseToCall } from './testing/every-kind-of-call.ts';
import { fakeFeed } from './testing/fake-feed.ts';
import { fakeService } from './testing/fake-service.ts';

const PACKAGE = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** A user's program, for the strictest mode of the compiler. */
const STRICT_PROGRAM = `
import { logSender, pluginConfigClient, PluginConfigError, type ConfigRecord, type LogEntry } from '@plugin-config/client';
import { openRuntime, RetryLater, type CurrentConfiguration, type PluginRuntime } from '@plugin-config/client/runtime';

const { pluginConfigs, pipelineTransformationConfigs } = pluginConfigClient({ url: 'http://127.0.0.1', key: 'phx_key' }).project(1);
export async function names(): Promise<readonly (string | null)[]> {
  const records: ConfigRecord[] = [];
  for await (const record of pluginConfigs.list({ enabled: true })) records.push(record);
  return records.map(({ name }) => name);
}
export const last = async (id: number): Promise<LogEntry | undefined> => (await pluginConfigs.logs(id).page()).results[0];
export async function follow(id: number): Promise<string | undefined> {
  for await (const { event, data } of pluginConfigs.streamLogs(id, { tail: 10, type_filter: ['ERROR'] })) {
    if (event === 'log') return data.message;
    if (event === 'reset') return data.reason;
  }
  for await (const change of pipelineTransformationConfigs.stream({ lastEventId: '1' })) {
    if (change.event === 'record' && change.data.deleted) return change.id;
  }
  return undefined;
}
export const codeOf = (error: unknown): string | null => (error instanceof PluginConfigError ? error.code : null);
export const log = logSender({ url: 'http://127.0.0.1', key: 'phx_key' }).logger(1);
export async function run(apply: (configuration: CurrentConfiguration) => Promise<void>): Promise<PluginRuntime> {
  const runtime = await openRuntime({ url: 'http://127.0.0.1', key: 'phx_key', project: 1, family: 'plugin_configs' });
  runtime.on('change', apply);
  runtime.on('error', (error) => runtime.failed(error, [{ id: 1, error: error.message }]));
  return runtime;
}
export async function host(): Promise<string | undefined> {
  const options = { url: 'http://127.0.0.1', key: 'phx_key', projects: 'all', family: 'plugin_configs' } as const;
  const [eager, lazy] = [await openRuntime(options), await openRuntime({ ...options, load: 'lazy', shard: '0/4' })];
  eager.on('change', (projects) => projects.flatMap(({ results, gone }) => (gone ? [] : results)));
  eager.failed('It failed.', [{ project_id: 1, id: 1, error: 'It failed.' }]);
  eager.jobs({
    replay: async ({ payload, config, signal, progress }) => {
      progress(0.5, 'Half of it');
      if (signal.aborted) throw new RetryLater('Not now.');
      return { payload, config };
    },
    check: async ({ config }) => ({ ok: config['host'] !== undefined, errors: [{ attr: 'host', detail: 'It is missing.' }] }),
  });
  // @ts-expect-error A check has an outcome.
  lazy.jobs({ check: async () => 'ok' }, { concurrency: 1 });
  const project = eager.project('ext:acme-corp') ?? (await lazy.project(1));
  return project?.results[0]?.plugin_name ?? undefined;
}
// @ts-expect-error There is no such event.
(await run(async () => {})).on('changed', () => {});
// @ts-expect-error A plugin is required.
await pluginConfigs.create({});
// @ts-expect-error There is no such field.
await pluginConfigs.update(1, { enabld: true });
// @ts-expect-error Only plugin configs have a log.
pipelineTransformationConfigs.logs(1);
// @ts-expect-error A stream has no pages.
pluginConfigs.streamLogs(1, { limit: 10 });
`;

/** A page of a user's product. */
const STRICT_PAGE = `
import { mountPlugins, type EmbedTheme, type MountedPlugins } from '@plugin-config/client/embed';

const theme: EmbedTheme = { colorScheme: 'dark', accent: '#0a7d5a', radius: 8 };
const options = { url: 'https://plugins.example.com', project: 'ext:acme-corp', token: async () => 'pct_token', theme } as const;
const plugins: MountedPlugins = mountPlugins(document.body, options);
plugins.setTheme({ colorScheme: 'auto' });
plugins.unmount();
// @ts-expect-error A project is an id, or an external id.
mountPlugins(document.body, { ...options, project: 'acme-corp' });
`;

const STRICT = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

/** True if two types are identical to the compiler, including optional and read-only modifiers. */
const SAME = `
type Flat<T> = [Derived.Json] extends [T] ? T : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
`;

let folder: string;
let tarball: string;
let project: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-config-client-'));
  project = await mkdtemp(join(tmpdir(), 'plugin-config-client-user-'));
  await run(process.execPath, [join(PACKAGE, 'build.ts'), folder]);
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: folder });
  tarball = join(project, stdout.trim());
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(project, { recursive: true });
});

test('publint and attw report no problems', { tags: ['long'] }, async () => {
  const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });
  expect(messages).toEqual([]);
  const attw = join(PACKAGE, 'node_modules/.bin/attw');
  await run(attw, [tarball, '--profile', 'esm-only']);
});

test('it installs into an empty project without dependencies', async () => {
  const program = `import * as client from '@plugin-config/client'; console.log(Object.keys(client).join());`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
  });
  expect(stdout.trim()).toBe(
    'PluginConfigError,familyVersionOf,headersOf,logSender,pluginConfigClient,tagOf',
  );
  const { packages } = JSON.parse(await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages)).toEqual(['node_modules/@plugin-config/client']);
});

test.for([...presentNodes()])('every kind of call works on Node %s', async ([, node]) => {
  await using service = await fakeService(responseToCall);
  const program = `const url = '${service.url}'; ${EVERY_KIND_OF_CALL} console.log(JSON.stringify(outcome));`;
  const { stdout } = await run(node, ['--input-type=module', '--eval', program], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(EXPECTED_OUTCOME);
});

test('a program exits when it closes its runtime, even during a wait', async () => {
  await using feed = await fakeFeed();
  const cacheFile = join(project, 'plugins.cache');
  const options = JSON.stringify({
    url: feed.url,
    key: 'phx_key',
    project: 1,
    family: 'plugin_configs',
    cacheFile,
  });
  const program = `import { openRuntime } from '@plugin-config/client/runtime';
    const runtime = await openRuntime(${options});
    runtime.on('change', ({ version }) => version === 'b' && runtime.close());`;
  const ended = run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
  await expect.poll(() => feed.reads, { timeout: 30_000 }).toHaveLength(2);
  feed.change('b');
  await ended;
  expect(feed.reads).toHaveLength(2);
});

test('its command checks a runtime, and names the rule that is broken', async () => {
  const program = `import { openRuntime } from '@plugin-config/client/runtime';
    const { API_URL: url, KEY: key, CONFIG_FILE: cacheFile } = process.env;
    const runtime = await openRuntime({ url, key, cacheFile, project: 1, family: 'plugin_configs' });
    runtime.on('change', ({ results }) => process.argv.includes('leak') && console.log(results[0].config.token));
    runtime.on('error', () => {});`;
  await writeFile(join(project, 'runtime.js'), program);
  const check = async (...args: string[]): Promise<string> => {
    const options = ['poll', 'report', 'secrets'].flatMap((rule) => ['--rule', rule]);
    const command = ['--', process.execPath, 'runtime.js', ...args];
    return run(join(project, 'node_modules/.bin/runtime-check'), [...options, ...command], { cwd: project })
      .then(({ stdout }) => stdout)
      .catch((error: unknown) => {
        const { code, stdout } = error as { readonly code: number; readonly stdout: string };
        return `${code}: ${stdout}`;
      });
  };
  const [kept, broken] = await Promise.all([check(), check('leak')]);
  expect(kept).toContain('3 of 3 rules are kept.');
  expect(broken).toMatch(/^1: kept {5}poll .*\nkept {5}report .*\nbroken {3}secrets /s);
});

test('a program exits after its last call', async () => {
  await using service = await fakeService(() => ({ body: { id: 1 } }));
  const options = JSON.stringify({ url: service.url, key: 'phx_key', timeoutMs: 1_000_000 });
  const program = `import { pluginConfigClient } from '@plugin-config/client'; await pluginConfigClient(${options}).project(1).retrieve();`;
  await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
  expect(service.requests).toHaveLength(1);
});

const PLATFORMS = [
  ['a browser', 'bundler', { lib: ['es2022', 'dom'], types: [] }],
  [
    'Node',
    'nodenext',
    { lib: ['es2022'], types: ['node'], typeRoots: [join(PACKAGE, 'node_modules/@types')] },
  ],
] as const;

/** The first tier only compiles what has both entries. */
test.for(chosen(PLATFORMS, ([name]) => name === 'a browser'))(
  'it type-checks in a strict project for %s',
  async ([, moduleResolution, platform]) => {
    await writeFile(join(project, 'program.ts'), STRICT_PROGRAM);
    await writeFile(join(project, 'page.ts'), STRICT_PAGE);
    const declarations = globSync('node_modules/@plugin-config/client/lib/**/*.d.ts', { cwd: project });
    const compilerOptions = {
      ...platform,
      ...STRICT,
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      skipLibCheck: false,
    };
    // The entry for pages needs their types.
    const forNode = declarations.filter((path) => !path.includes('/embed/'));
    const files = ['program.ts', ...(moduleResolution === 'bundler' ? ['page.ts'] : forNode)];
    expect(await compile({ compilerOptions, files })).toBe('');
  },
);

test('its types are those of the contract, with descriptions', async () => {
  const types = await readFile(join(folder, 'lib/wire.d.ts'), 'utf8');
  expect(types).toContain(
    '/** The configuration as JSON text, with secret values masked. */\n  readonly config: string;',
  );
  const methods = await readFile(join(folder, 'lib/calls/methods.d.ts'), 'utf8');
  expect(methods).toContain(
    '/** Retrieve a job. */\n  job(id: number, jobId: string, query?: JobResultQuery, options?: RequestOptions): Promise<JobWithOutput>;',
  );
  const names = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(60);
  const program = [
    `import type * as Derived from '${join(PACKAGE, 'src/wire.ts')}';`,
    `import type { PluginConfigClient } from '${join(PACKAGE, 'src/client.ts')}';`,
    `import type * as Written from '@plugin-config/client';`,
    SAME,
    ...names.map((name) => `export const of${name}: Same<Derived.${name}, Written.${name}> = true;`),
    `export const client = (derived: PluginConfigClient): Written.PluginConfigClient => derived;`,
    `export const written = (client: Written.PluginConfigClient): PluginConfigClient => client;`,
    `// @ts-expect-error`,
    `export const changed: Same<{ a: { b?: 1 } }, { a: { b: 1 } }> = true;`,
  ];
  await writeFile(join(project, 'same.ts'), program.join('\n'));
  const compilerOptions = {
    ...STRICT,
    target: 'esnext',
    types: [],
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  expect(await compile({ compilerOptions, files: ['same.ts'] })).toBe('');
});

test('it is as small as the README says', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const documented = Number(/less than (\d) kB/.exec(readme)?.[1]) * 1_000;
  const bundle = await rolldown({ input: join(folder, 'lib/index.js') });
  const { output } = await bundle.generate({ minify: true });
  expect(output.map(({ type }) => type)).toEqual(['chunk']);
  expect(output[0].imports).toEqual([]);
  const bytes = gzipSync(output[0].code).length;
  expect(bytes).toBeLessThan(documented);
  expect(bytes).toBeGreaterThan(documented - 1_000);
});

/** Returns the errors of the compiler. */
async function compile(config: object): Promise<string> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await run(join(PACKAGE, 'node_modules/.bin/tsc'), ['-p', project]).catch(outputOf);
  return stdout;
}

/** The compiler reports errors on its standard output. */
function outputOf(error: unknown): { readonly stdout: string } {
  const { stdout, message } = error as Error & { readonly stdout: string };
  return { stdout: stdout || message };
}
