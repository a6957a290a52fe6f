import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Writes the file whole or not at all, readable by its owner alone. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The trimmed content, or undefined where there is no such file. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What the file holds; the first time, what `make` makes. */
export async function keepPrivateFile(path: string, make: () => string): Promise<string> {
  const kept = await readPrivateFile(path);
  if (kept !== undefined && kept !== '') return kept;
  const made = make();
  await writePrivateFile(path, `${made}\n`);
  return made;
}
