import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Writes the file atomically. Only its owner can read it. */
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

/** Reads the trimmed content. Returns undefined if the file does not exist. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads the file. If it is missing or empty, writes the result of `make` first. */
export async function keepPrivateFile(path: string, make: () => string | Promise<string>): Promise<string> {
  const kept = await readPrivateFile(path);
  if (kept !== undefined && kept !== '') return kept;
  const made = await make();
  await writePrivateFile(path, `${made}\n`);
  return made;
}
