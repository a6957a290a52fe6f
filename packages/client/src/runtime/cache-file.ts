import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { RuntimeConfiguration } from '../wire.ts';
import { deepFreeze } from './deep-freeze.ts';

/** Identifies the runtimes that can read a file. */
export interface CacheOwner {
  readonly key: string;
  readonly url: string;
  readonly project: number | string;
  readonly family: string;
}

interface Cached {
  readonly configuration: RuntimeConfiguration;
  /** The milliseconds since it was last stored, by the system clock. */
  readonly ageMs: number;
}

/** A file with the last good configuration. Several runtimes can share it. */
export interface CacheFile {
  /** Resolves to null if there is no file. Rejects if it cannot be used. */
  load(): Promise<Cached | null>;
  /** Stores a configuration that the service has just sent or confirmed. */
  store(configuration: RuntimeConfiguration): Promise<void>;
  /** Removes the file unless it has another owner. */
  remove(): Promise<void>;
}

export const NO_CACHE: CacheFile = {
  load: async () => null,
  store: async () => undefined,
  remove: async () => undefined,
};

// The file consists of FORMAT, salt, iv, tag and the encrypted JSON. Each write uses a new salt, and therefore a new key.
const FORMAT = Buffer.from('plugin-config-runtime 1\n');
const ANY_FORMAT = /^plugin-config-runtime \d+\n/;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Writing takes seconds at most, so a temporary file this old was left behind by a killed process. */
const LEFT_BEHIND_MS = 3_600_000;

export function cacheFile(relativePath: string, owner: CacheOwner): CacheFile {
  const path = resolve(relativePath);
  let stored: RuntimeConfiguration | null = null;

  const load = async (): Promise<Cached | null> => {
    const bytes = await readFile(path).catch(nullIfAbsent);
    if (bytes === null) return null;
    const configuration = decrypt(bytes, owner, path);
    const { mtimeMs } = await stat(path);
    stored = configuration;
    return { configuration, ageMs: Math.max(0, Date.now() - mtimeMs) };
  };

  return {
    async load() {
      // Best effort: another runtime may remove the same files, and leftovers do no harm.
      await removeLeftBehind(path).catch(() => undefined);
      return load();
    },

    async store(configuration) {
      const isStored = configuration === stored;
      stored = null;
      const now = new Date();
      // The modification time of the file is when the configuration was last confirmed.
      if (!isStored || !(await utimes(path, now, now).then(succeeded, failed)))
        await replaceFile(path, encrypt(configuration, owner));
      stored = configuration;
    },

    async remove() {
      const isOwner = await load().then(succeeded, failed);
      if (isOwner) await rm(path, { force: true });
    },
  };
}

const succeeded = (): boolean => true;
const failed = (): boolean => false;

function encrypt(configuration: RuntimeConfiguration, owner: CacheOwner): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', fileKey(owner, salt), iv).setAAD(additionalData(owner));
  const encrypted = [cipher.update(JSON.stringify(configuration), 'utf8'), cipher.final()];
  return Buffer.concat([FORMAT, salt, iv, cipher.getAuthTag(), ...encrypted]);
}

function decrypt(bytes: Buffer, owner: CacheOwner, path: string): RuntimeConfiguration {
  if (!bytes.subarray(0, FORMAT.length).equals(FORMAT)) {
    const isOtherFormat = ANY_FORMAT.test(bytes.subarray(0, 100).toString('latin1'));
    const reason = isOtherFormat
      ? 'another release of the client wrote it'
      : 'it is damaged or not a cache file';
    throw new Error(`The cache file ${path} is ignored: ${reason}.`);
  }
  let offset = FORMAT.length;
  const take = (length: number): Buffer => bytes.subarray(offset, (offset += length));
  const [salt, iv, tag] = [take(SALT_BYTES), take(IV_BYTES), take(TAG_BYTES)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', fileKey(owner, salt), iv, { authTagLength: TAG_BYTES })
      .setAAD(additionalData(owner))
      .setAuthTag(tag);
    const json = Buffer.concat([decipher.update(bytes.subarray(offset)), decipher.final()]).toString();
    return deepFreeze(JSON.parse(json) as RuntimeConfiguration);
  } catch (cause) {
    const reason =
      'it is damaged, or was written with another key, or for another service, project or family';
    throw new Error(`The cache file ${path} is ignored: ${reason}.`, { cause });
  }
}

function fileKey({ key }: CacheOwner, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, FORMAT, 32));
}

function additionalData({ url, project, family }: CacheOwner): Buffer {
  return Buffer.from(JSON.stringify([url, project, family]));
}

/** Replaces a file atomically, even if the process or the machine dies halfway. */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // Windows cannot sync a folder.
  if (process.platform !== 'win32') await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes old temporary files. Recent ones may belong to another runtime that is writing. */
async function removeLeftBehind(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.[0-9a-f]{16}\.tmp$/.test(name)) continue;
    const temporary = join(folder, name);
    if (Date.now() - (await stat(temporary)).mtimeMs > LEFT_BEHIND_MS) await rm(temporary);
  }
}

function nullIfAbsent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
