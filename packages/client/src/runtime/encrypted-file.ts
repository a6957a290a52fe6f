import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { normaliseKey, normaliseUrl } from '../calls/request.ts';

/** Identifies the runtimes that can read a file. */
export interface FileOwner {
  readonly key: string;
  readonly url: string;
  readonly family: string;
  /** The project, or which projects. */
  readonly follows: number | string | readonly (number | string)[];
}

export function ownerOf(
  { key, url, family }: Pick<FileOwner, 'key' | 'url' | 'family'>,
  follows: FileOwner['follows'],
): FileOwner {
  return { key: normaliseKey(key), url: normaliseUrl(url), family, follows };
}

interface Contents {
  /** The texts up to the first one that cannot be read. */
  readonly texts: readonly string[];
  readonly isWhole: boolean;
  /** The milliseconds since the file was last written or touched, by the system clock. */
  readonly ageMs: number;
}

/** A file of encrypted texts. */
export interface EncryptedFile {
  /** Resolves to null if there is no file. Rejects if the first text cannot be read. */
  read(): Promise<Contents | null>;
  /** Replaces the file atomically, even if the process or the machine dies halfway. */
  replace(texts: Iterable<string>): Promise<void>;
  /** Appends a text. Resolves to false if the file is not, or no longer, the one that `replace` has written. */
  append(text: string): Promise<boolean>;
  /** Resets the age of the file. Resolves to false if there is none. */
  touch(): Promise<boolean>;
  /** Removes the file unless it has another owner. */
  remove(): Promise<void>;
  /** Returns the error that says why a file is not used. */
  ignored(reason: string, cause?: unknown): Error;
}

// The file consists of FORMAT, a salt and the texts: length, iv, tag and the encrypted text. Each file has a different key.
const FORMAT = Buffer.from('plugin-config-runtime 1\n');
const ANY_FORMAT = /^plugin-config-runtime \d+\n/;
const SALT_BYTES = 16;
const LENGTH_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DAMAGED = 'it is damaged, or was written with another key, or for another service, project or family';

/** Writing takes seconds at most, so a temporary file this old was left behind by a killed process. */
const LEFT_BEHIND_MS = 3_600_000;

export function encryptedFile(relativePath: string, owner: FileOwner): EncryptedFile {
  const path = resolve(relativePath);
  /** The file that this process has written, and that no other process appends to. */
  let own: { readonly ino: number; readonly encrypt: (text: string) => Buffer } | null = null;
  const ignored = (reason: string, cause?: unknown): Error =>
    new Error(`The cache file ${path} is ignored: ${reason}.`, { cause });

  const textsOf = (bytes: Buffer): Pick<Contents, 'texts' | 'isWhole'> => {
    if (!bytes.subarray(0, FORMAT.length).equals(FORMAT)) {
      const isOtherFormat = ANY_FORMAT.test(bytes.subarray(0, 100).toString('latin1'));
      throw ignored(
        isOtherFormat ? 'another release of the client wrote it' : 'it is damaged or not a cache file',
      );
    }
    const start = FORMAT.length + SALT_BYTES;
    const decrypt = decryption(owner, bytes.subarray(FORMAT.length, start));
    const texts: string[] = [];
    for (let offset = start; offset < bytes.length;) {
      try {
        const end = offset + LENGTH_BYTES + bytes.readUInt32BE(offset);
        if (end > bytes.length) throw new RangeError('The text is cut off.');
        texts.push(decrypt(bytes.subarray(offset + LENGTH_BYTES, end)));
        offset = end;
      } catch (cause) {
        if (texts.length === 0) throw ignored(DAMAGED, cause);
        return { texts, isWhole: false };
      }
    }
    if (texts.length === 0) throw ignored(DAMAGED);
    return { texts, isWhole: true };
  };

  const read = async (): Promise<Contents | null> => {
    const bytes = await readFile(path).catch(nullIfAbsent);
    if (bytes === null) return null;
    const { mtimeMs } = await stat(path);
    return { ...textsOf(bytes), ageMs: Math.max(0, Date.now() - mtimeMs) };
  };

  return {
    async read() {
      // Best effort: another runtime may remove the same files, and leftovers do no harm.
      await removeLeftBehind(path).catch(() => undefined);
      return read();
    },

    async replace(texts) {
      own = null;
      const salt = randomBytes(SALT_BYTES);
      const encrypt = encryption(owner, salt);
      let head = Buffer.concat([FORMAT, salt]);
      const ino = await replaceFile(path, async (file) => {
        for (const text of texts) {
          await file.writeFile(Buffer.concat([head, encrypt(text)]));
          head = Buffer.alloc(0);
        }
      });
      own = { ino, encrypt };
    },

    async append(text) {
      if (own === null) return false;
      const { ino, encrypt } = own;
      // Half a text may have been appended if this fails.
      own = null;
      const file = await open(path, 'r+').catch(nullIfAbsent);
      if (file === null) return false;
      try {
        const { ino: present, size } = await file.stat();
        if (present !== ino) return false;
        const bytes = encrypt(text);
        const { bytesWritten } = await file.write(bytes, 0, bytes.length, size);
        if (bytesWritten < bytes.length) return false;
        await file.datasync();
      } finally {
        await file.close();
      }
      own = { ino, encrypt };
      return true;
    },

    async touch() {
      const now = new Date();
      return utimes(path, now, now).then(succeeded, failed);
    },

    async remove() {
      const isOwner = await read().then(succeeded, failed);
      if (isOwner) await rm(path, { force: true });
    },

    ignored,
  };
}

const succeeded = (): boolean => true;
const failed = (): boolean => false;

function encryption(owner: FileOwner, salt: Buffer): (text: string) => Buffer {
  const key = fileKey(owner, salt);
  const aad = additionalData(owner);
  return (text) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(IV_BYTES + TAG_BYTES + encrypted.length);
    return Buffer.concat([length, iv, cipher.getAuthTag(), encrypted]);
  };
}

function decryption(owner: FileOwner, salt: Buffer): (encrypted: Buffer) => string {
  const key = fileKey(owner, salt);
  const aad = additionalData(owner);
  return (encrypted) => {
    const [iv, tag] = [encrypted.subarray(0, IV_BYTES), encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(aad)
      .setAuthTag(tag);
    return Buffer.concat([
      decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString();
  };
}

function fileKey({ key }: FileOwner, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, FORMAT, 32));
}

function additionalData({ url, follows, family }: FileOwner): Buffer {
  return Buffer.from(JSON.stringify([url, follows, family]));
}

/** Replaces a file atomically. Resolves to the number of its inode. */
async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<number> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  let ino: number;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await write(file);
      await file.sync();
      ({ ino } = await file.stat());
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
  return ino;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes old temporary files. A recent file may belong to another runtime that is writing. */
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
