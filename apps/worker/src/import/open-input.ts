import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { CannotStart } from '@plugin-config/server';
import type { NdjsonInput } from '../sources/ndjson/ndjson-source.ts';

const STANDARD_INPUT = '-';
const READ_BYTES = 1024 * 1024;

/** Opens a file or standard input. Lines without a time get the time of the file, so a second import stores no duplicates. */
export async function openInput(path: string): Promise<NdjsonInput> {
  if (path === STANDARD_INPUT) return standardInput();
  const file = await openFile(path);
  const { birthtimeMs, mtimeMs } = await file.stat();
  return {
    time: new Date(birthtimeMs || mtimeMs),
    open: (signal) => createReadStream('', { fd: file, highWaterMark: READ_BYTES, signal }),
  };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (error) {
    throw new CannotStart(`--input must be a readable file, or -: ${String(error)}`);
  }
  throw new CannotStart(`--input must be a file, or -: ${path} is a directory.`);
}

async function standardInput(): Promise<NdjsonInput> {
  const input = await stat('/dev/stdin').catch(() => null);
  return {
    time: input?.isFile() === true ? new Date(input.birthtimeMs || input.mtimeMs) : new Date(),
    open: (signal) => addAbortSignal(signal, process.stdin),
  };
}
