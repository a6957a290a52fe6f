import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests need and that may be missing. */
export interface OptionalProgram {
  readonly name: string;
  /** The possible names of the program file. */
  readonly names: readonly string[];
  /** A test file needs the program if its name contains this word between dots. */
  readonly neededBy: string;
  /** Folders outside of `PATH` where it may be installed. */
  readonly otherFolders: readonly string[];
  /** Its Debian package, or its npm package with the version. */
  readonly package: { readonly debian: string } | { readonly npm: string };
  /** How to install it. */
  readonly get: string;
}

/** Folders for servers, which are not in the `PATH` of ordinary users. */
const SYSTEM = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];

/** Programs from npm that are too large to be ordinary dependencies. */
const INSTALLED_PROGRAMS = join(import.meta.dirname, '../.programs');

/** ClickHouse as a library. */
const CHDB = chdb('26.7.3-stable.1');

export const OPTIONAL_PROGRAMS = [
  {
    name: 'nats-server',
    names: ['nats-server'],
    neededBy: 'jetstream',
    otherFolders: SYSTEM,
    package: { debian: 'nats-server' },
    get: 'apt-get install nats-server, or brew install nats-server',
  },
  {
    name: 'chromium',
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'Google Chrome',
      'Chromium',
    ],
    neededBy: 'browser',
    otherFolders: [
      '/snap/bin',
      '/Applications/Google Chrome.app/Contents/MacOS',
      '/Applications/Chromium.app/Contents/MacOS',
    ],
    package: { debian: 'chromium-headless-shell' },
    get: 'apt-get install chromium-headless-shell, or brew install --cask chromium',
  },
  {
    name: 'pgbouncer',
    names: ['pgbouncer'],
    neededBy: 'pgbouncer',
    otherFolders: SYSTEM,
    package: { debian: 'pgbouncer' },
    get: 'apt-get install pgbouncer, or brew install pgbouncer',
  },
  {
    name: 'chdb',
    names: ['libchdb.so', 'libchdb.dylib'],
    neededBy: 'clickhouse',
    otherFolders: [join(INSTALLED_PROGRAMS, 'node_modules/@chdb', CHDB.folder)],
    package: { npm: CHDB.package },
    get: `npm install --no-save --prefix .programs ${CHDB.package}`,
  },
  {
    name: 'promtool',
    names: ['promtool'],
    neededBy: 'promtool',
    otherFolders: SYSTEM,
    package: { debian: 'prometheus' },
    get: 'apt-get install prometheus, or brew install prometheus',
  },
  {
    name: 'haproxy',
    names: ['haproxy'],
    neededBy: 'haproxy',
    otherFolders: SYSTEM,
    package: { debian: 'haproxy' },
    get: 'apt-get install haproxy, or brew install haproxy',
  },
  {
    name: 'python3',
    names: ['python3'],
    neededBy: 'python3',
    otherFolders: SYSTEM,
    package: { debian: 'python3' },
    get: 'apt-get install python3, or brew install python3',
  },
  {
    name: 'psql',
    names: ['psql'],
    neededBy: 'psql',
    otherFolders: SYSTEM,
    package: { debian: 'postgresql-client' },
    get: 'apt-get install postgresql-client, or brew install libpq',
  },
  {
    name: 'kubectl',
    names: ['kubectl'],
    neededBy: 'kubectl',
    otherFolders: SYSTEM,
    package: { debian: 'kubernetes-client' },
    get: 'see https://kubernetes.io/docs/tasks/tools, or brew install kubectl',
  },
] as const satisfies readonly OptionalProgram[];

export type ProgramName = (typeof OPTIONAL_PROGRAMS)[number]['name'];

/** The environment variable with a comma-separated list of the allowed programs. If it is not set, all are allowed. */
export const ALLOWED = 'OPTIONAL_PROGRAMS';

/** Returns the path of the program; undefined if it is not installed. */
export function findProgram(name: ProgramName, env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env[ALLOWED] !== undefined && !env[ALLOWED].split(',').includes(name)) return undefined;
  const { names, otherFolders } = programCalled(name);
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...otherFolders,
  ];
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

/** Returns the path of the program. Throws if it is not installed. */
export function programPath(name: ProgramName): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new Error(`${name} is not installed. Install it: ${programCalled(name).get}.`);
}

export function missingPrograms(env: NodeJS.ProcessEnv = process.env): readonly OptionalProgram[] {
  return OPTIONAL_PROGRAMS.filter(({ name }) => findProgram(name, env) === undefined);
}

/** Returns a glob for the test files that need the program. */
export const filesNeeding = ({ neededBy }: OptionalProgram): string => `**/*.${neededBy}{,.*}.test.ts`;

/** Lists the test files that need these programs, and how to install the programs. */
export function skippedFiles(root: string, missing: readonly OptionalProgram[]): readonly string[] {
  const needs = missing.flatMap((program) =>
    globSync(`{{packages,apps}/*/src,tools}/${filesNeeding(program)}`, { cwd: root }).map((file) => ({
      file,
      program,
    })),
  );
  return [...Map.groupBy(needs, ({ file }) => file)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([file, each]) =>
        `${file}: needs ${each.map(({ program }) => withInstructions(program)).join(' and ')}`,
    );
}

function withInstructions({ name, get }: OptionalProgram): string {
  return `${name} (${get})`;
}

function programCalled(name: ProgramName): OptionalProgram {
  const program = OPTIONAL_PROGRAMS.find((one) => one.name === name);
  if (program === undefined) throw new Error(`There is no optional program called ${name}.`);
  return program;
}

function chdb(version: string): { readonly folder: string; readonly package: string } {
  const folder = `lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
  return { folder, package: `@chdb/${folder}@${version}` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
