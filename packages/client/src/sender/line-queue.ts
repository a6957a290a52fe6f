import type { Line } from './line.ts';

export interface BatchLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** Lines that wait to be sent, in order. */
export interface LineQueue {
  add(line: Line): void;
  /** Removes and returns the next batch: as many lines as the limits allow, but at least one. */
  take(): readonly Line[];
  /** Returns whether the next batch has reached a limit. */
  isBatchFull(): boolean;
  isEmpty(): boolean;
  clear(): void;
}

export function lineQueue(limits: BatchLimits): LineQueue {
  let lines: Line[] = [];
  let bytes = 0;
  return {
    add: (line) => {
      lines.push(line);
      bytes += line.byteLength;
    },
    take: () => {
      const batch = lines.slice(0, batchLength(lines, limits));
      lines = lines.slice(batch.length);
      bytes -= bytesOf(batch);
      return batch;
    },
    isBatchFull: () => lines.length >= limits.lines || bytes >= limits.bytes,
    isEmpty: () => lines.length === 0,
    clear: () => {
      lines = [];
      bytes = 0;
    },
  };
}

export function bytesOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function batchLength(lines: readonly Line[], limits: BatchLimits): number {
  let bytes = 0;
  const end = lines.findIndex(({ byteLength }, index) => {
    bytes += byteLength;
    return index > 0 && (index === limits.lines || bytes > limits.bytes);
  });
  return end === -1 ? lines.length : end;
}
