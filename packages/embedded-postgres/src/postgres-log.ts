import { type FileHandle, open, rename } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;
const ERROR_LINE = /FATAL|PANIC|could not|No space/;
const MAX_LINES = 3;

export interface PostgresLog {
  readonly file: FileHandle;
  /** The last error lines that PostgreSQL has written since the log was opened. */
  reason(): Promise<string>;
}

/** Opens the log for appending. Renames a log that has grown too large to `.old` and begins a new one. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  let file = await open(path, 'a+', 0o600);
  let { size } = await file.stat();
  if (size > MAX_BYTES) {
    await file.close();
    await rename(path, `${path}.old`);
    file = await open(path, 'a+', 0o600);
    size = 0;
  }
  return { file, reason: () => lastErrors(path, size) };
}

async function lastErrors(path: string, from: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ position: from, buffer: Buffer.alloc(64 * 1024) });
    const lines = buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => ERROR_LINE.test(line));
    return lines
      .slice(-MAX_LINES)
      .map((line) => line.replace(/^.*?(?=[A-Z]+: )/, ''))
      .join('; ');
  } finally {
    await file.close();
  }
}
