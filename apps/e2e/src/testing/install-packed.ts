import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = new URL('../../../../', import.meta.url);
const run = promisify(execFile);

/** Builds and packs a package, such as `apps/cli`, and installs it in an empty project, whose folder it returns. */
export async function installPacked(source: string): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-packed-'));
  const build = fileURLToPath(new URL(`${source}/build.ts`, ROOT));
  await run(process.execPath, [build, join(folder, 'package')]);
  const { stdout: tarball } = await run('npm', ['pack', '--silent', './package'], { cwd: folder });
  await writeFile(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.trim()], { cwd: folder });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
