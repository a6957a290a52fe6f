import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { sharedHome } from './shared-home.ts';
import { canRun, type SystemUser } from './system-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds PostgreSQL's programs where the user can run them: in the installed package, or in a copy if the user cannot
 * read that package.
 */
export async function binariesFor(user: SystemUser | undefined): Promise<Binaries> {
  const installed = installedPackage();
  const binaries = programsIn(join(installed, 'native'));
  if (await canRun(user, binaries.postgres, ['--version'])) return binaries;
  const copy = user === undefined ? binaries : programsIn(await sharedCopy(installed));
  if (await canRun(user, copy.postgres, ['--version'])) return copy;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine (${copy.postgres}). Set DATABASE_URL.`,
  );
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL.`;
    throw new EmbeddedPostgresError(message, { cause });
  }
}

const programsIn = (native: string): Binaries => ({
  postgres: join(native, 'bin', 'postgres'),
  initdb: join(native, 'bin', 'initdb'),
});

async function sharedCopy(installed: string): Promise<string> {
  const version = await versionOf(installed);
  const copy = join(await sharedHome(), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!(await exists(copy))) await copyAtomically(join(installed, 'native'), copy);
  return copy;
}

async function versionOf(installed: string): Promise<string> {
  const manifest = await readFile(join(installed, 'package.json'), 'utf8');
  return /"version":\s*"([^"]+)"/.exec(manifest)?.[1] ?? 'unknown';
}

/**
 * Copies into a draft folder and renames it when it is complete. Another process may finish the same copy first; its copy
 * is then used.
 */
async function copyAtomically(source: string, target: string): Promise<void> {
  const draft = await mkdtemp(`${target}.`);
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await rename(draft, target);
  } catch (error) {
    if (!(await exists(target))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function openToAll(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all([directory, ...paths].map((path) => chmod(path, 0o755)));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
