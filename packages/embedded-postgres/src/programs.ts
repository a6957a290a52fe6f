import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { SystemUser } from './system-user.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const COPIES = '/var/lib/plugin-config-service';
const run = promisify(execFile);

/**
 * Returns the folder of PostgreSQL's programs: that of the installed package or, if this process is root and the user that runs
 * PostgreSQL cannot read the package, that of a world-readable copy.
 */
export async function programsFor(user: SystemUser | undefined): Promise<string> {
  const installed = installedPackage();
  const programs = join(installed, 'native', 'bin');
  if (await canRun(user, programs)) return programs;
  if (user !== undefined) {
    const copy = join(COPIES, await copyName(installed));
    if (!(await canRun(user, join(copy, 'bin')))) await copyPrograms(join(installed, 'native'), copy);
    if (await canRun(user, join(copy, 'bin'))) return join(copy, 'bin');
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine (${programs}). Set DATABASE_URL to use your own.`,
  );
}

function installedPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)));
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for ${PLATFORM}. Set DATABASE_URL to use your own.`;
    throw new EmbeddedPostgresError(message, { cause });
  }
}

async function copyName(installed: string): Promise<string> {
  const manifest = await readFile(join(installed, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return `postgresql-${version}-${PLATFORM}`;
}

const canRun = (user: SystemUser | undefined, programs: string): Promise<boolean> =>
  run(join(programs, 'postgres'), ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );

/** Copies into a draft folder first, because another process may be making or using the same copy. */
async function copyPrograms(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  await mkdir(COPIES, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', draft]);
  // Fails if another process was faster; its copy is just as good.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
}
