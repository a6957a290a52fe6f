import type { EntryKey } from '../log/log-entry.ts';
import type { LogPosition } from './log-sequence.ts';

/**
 * The position of a reader in a log stream. If `tail` is set, the reader has received the tail only up to that entry:
 * the stream sends the rest of the tail before it continues at `position`.
 */
export interface LogCursor {
  readonly position: LogPosition;
  readonly tail: EntryKey | null;
}

const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;
const FORM = new RegExp(String.raw`^([1-9]\d{0,14})-(0|[1-9]\d{0,14})(?:-(\d{1,15})-(${UUID}))?$`);
const LATEST = 8.64e15;

export function logCursorText({ epoch, number }: LogPosition, tail: EntryKey | null = null): string {
  const position = `${epoch}-${number}`;
  return tail === null ? position : `${position}-${tail.timestamp.getTime()}-${tail.id}`;
}

export function parseLogCursor(text: string): LogCursor | null {
  const [, epoch, number, time, id] = FORM.exec(text) ?? [];
  if (epoch === undefined || number === undefined) return null;
  if (Number(time ?? 0) > LATEST) return null;
  return {
    position: { epoch: Number(epoch), number: Number(number) },
    tail: time === undefined || id === undefined ? null : { timestamp: new Date(Number(time)), id },
  };
}
