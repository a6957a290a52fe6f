import type { EntryKey } from '../log/log-entry.ts';
import type { LogPosition } from './log-arrivals.ts';

/**
 * The place of a reader in the stream of a log. With `tail`, the reader has the tail up to this entry, and the rest of the
 * tail, which arrived before the position, comes first.
 */
export interface LogCursor {
  readonly position: LogPosition;
  readonly tail: EntryKey | null;
}

const FORM = /^([1-9]\d{0,14})-(0|[1-9]\d{0,14})(?:-(\d{1,15})-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/;
const LATEST = 8.64e15;

export function logCursorText({ epoch, number }: LogPosition, tail: EntryKey | null = null): string {
  return tail === null ? `${epoch}-${number}` : `${epoch}-${number}-${tail.timestamp.getTime()}-${tail.id}`;
}

/** Null if it is no cursor of a log. */
export function parseLogCursor(text: string): LogCursor | null {
  const [, epoch, number, time, id] = FORM.exec(text) ?? [];
  if (epoch === undefined || number === undefined || Number(time ?? 0) > LATEST) return null;
  return {
    position: { epoch: Number(epoch), number: Number(number) },
    tail: time === undefined || id === undefined ? null : { timestamp: new Date(Number(time)), id },
  };
}
