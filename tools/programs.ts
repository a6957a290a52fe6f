import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests start and that a machine may lack. */
export interface OptionalProgram {
  readonly name: string;
  /** What the program file may be called. */
  readonly names: readonly string[];
  /** A test file whose name contains one of these words, between dots, needs the program. */
  readonly neededBy: string;
  /** Where it is installed that no path mentions. */
  readonly places: readonly string[];
  /** Debian's package. */
  readonly debian: string;
  /** How a person gets it. */
  readonly get: string;
}

/** Where Debian puts servers, and where an ordinary user's path does not look. */
const SYSTEM = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];

export const OPTIONAL_PROGRAMS = [
  {
    name: 'nats-server',
    names: ['nats-server'],
    neededBy: 'jetstream',
    places: SYSTEM,
    debian: 'nats-server',
    get: 'apt-get install nats-server, or brew install nats-server',
  },
  {
    name: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'Google Chrome', 'Chromium'],
    neededBy: 'browser',
    places: [
      '/snap/bin',
      '/Applications/Google Chrome.app/Contents/MacOS',
      '/Applications/Chromium.app/Contents/MacOS',
    ],
    debian: 'chromium',
    get: 'apt-get install chromium, or brew install --cask chromium',
  },
  {
    name: 'pgbouncer',
    names: ['pgbouncer'],
    neededBy: 'pgbouncer',
    places: SYSTEM,
    debian: 'pgbouncer',
    get: 'apt-get install pgbouncer, or brew install pgbouncer',
  },
] as const satisfies readonly OptionalProgram[];

export type ProgramName = (typeof OPTIONAL_PROGRAMS)[number]['name'];

/** Names, with commas between, the only optional programs that may be found; where it is not set, all may be. */
export const ALLOWED = 'OPTIONAL_PROGRAMS';

/** Where the program is; undefined where it is not installed. */
export function findProgram(name: ProgramName, env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env[ALLOWED] !== undefined && !env[ALLOWED].split(',').includes(name)) return undefined;
  const { names, places } = programCalled(name);
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...places];
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

/** Where the program is. @throws where it is not installed */
export function programPath(name: ProgramName): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new Error(`${name} is not installed. Install it: ${programCalled(name).get}.`);
}

export function missingPrograms(env: NodeJS.ProcessEnv = process.env): readonly OptionalProgram[] {
  return OPTIONAL_PROGRAMS.filter(({ name }) => findProgram(name, env) === undefined);
}

/** The test files that need the program, as a glob. */
export const filesNeeding = ({ neededBy }: OptionalProgram): string =>
  `**/*.${neededBy}.{test,fault.test}.ts`;

function programCalled(name: ProgramName): OptionalProgram {
  const program = OPTIONAL_PROGRAMS.find((one) => one.name === name);
  if (program === undefined) throw new Error(`There is no optional program called ${name}.`);
  return program;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
