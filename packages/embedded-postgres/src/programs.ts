import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { sharedHome } from './shared-home.ts';
import { canRun, type SystemUser } from './system-user.ts';

/** The paths of PostgreSQL's programs. */
export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Finds PostgreSQL's programs in the installed package, or in a copy if the user may not read that package. */
export async function programsFor(user: SystemUser | undefined): Promise<Programs> {
  const installed = installedPackage();
  const programs = programsIn(join(installed, 'native'));
  if (await canRun(user, programs.postgres, '--version')) return programs;
  const copy = user === undefined ? programs : programsIn(await sharedCopy(installed));
  if (await canRun(user, copy.postgres, '--version')) return copy;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine (${copy.postgres}). Set DATABASE_URL.`,
  );
}

function installedPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)));
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for ${PLATFORM}. Set DATABASE_URL.`;
    throw new EmbeddedPostgresError(message, { cause });
  }
}

const programsIn = (native: string): Programs => ({
  postgres: join(native, 'bin', 'postgres'),
  initdb: join(native, 'bin', 'initdb'),
});

/**
 * Copies into a draft folder and renames it when it is complete. Another process may finish the same copy first; its copy
 * is then used.
 */
async function sharedCopy(installed: string): Promise<string> {
  const manifest = await readFile(join(installed, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const copy = join(await sharedHome(), `postgresql-${version}-${PLATFORM}`);
  if (await exists(copy)) return copy;
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(join(installed, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, copy);
  } catch (error) {
    if (!(await exists(copy))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
