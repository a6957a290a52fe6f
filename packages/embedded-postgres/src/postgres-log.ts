import { type FileHandle, open, rename } from 'node:fs/promises';

const LARGE = 10 * 1024 * 1024;
const TELLING = /FATAL|PANIC|could not|No space/;
const LINES = 3;

export interface PostgresLog {
  readonly file: FileHandle;
  /** What has been written since the log was opened that may say why PostgreSQL ended. */
  reason(): Promise<string>;
}

/** Opens the log to write at its end; one that has grown large is put aside as `.old`. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  let file = await open(path, 'a+', 0o600);
  let { size } = await file.stat();
  if (size > LARGE) {
    await file.close();
    await rename(path, `${path}.old`);
    file = await open(path, 'a+', 0o600);
    size = 0;
  }
  return { file, reason: () => tellingLines(path, size) };
}

async function tellingLines(path: string, from: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ position: from, buffer: Buffer.alloc(64 * 1024) });
    const lines = buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => TELLING.test(line));
    return lines
      .slice(-LINES)
      .map((line) => line.replace(/^.*?(?=[A-Z]+: )/, ''))
      .join('; ');
  } finally {
    await file.close();
  }
}
