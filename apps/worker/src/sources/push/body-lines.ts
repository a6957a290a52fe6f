import { MESSAGE_MAX_BYTES } from '../batch-limits.ts';
import { isBlank, lineSplitter } from '../line-splitter.ts';

/** Reads a body a few lines at a time. Splits and decodes only what is read. */
export interface BodyLines {
  /** True once the whole body has been read. */
  readonly isRead: boolean;
  /** Reads up to this many more lines and bytes. */
  read(limits: LineLimits): ReadLines;
}

interface LineLimits {
  readonly lines: number;
  readonly bytes: number;
}

interface ReadLines {
  readonly lines: readonly string[];
  /** How many lines were read. Skipped runs of blank lines count only as bytes. */
  readonly count: number;
  readonly bytes: number;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;

export function bodyLines(body: readonly Buffer[]): BodyLines {
  const splitter = lineSplitter({ maxBytes: MESSAGE_MAX_BYTES });
  let next = 0;
  /** The position in the next block. */
  let at = 0;

  /** Reads a run of non-blank lines, or skips a run of blank lines. */
  const readRun = (block: Buffer, limits: LineLimits) => {
    const window = block.subarray(at, at + limits.bytes);
    const start = splitter.isMidLine ? 0 : endOfBlankLines(window, 0);
    const end = endOfLines(window, start, limits.lines);
    at += end;
    if (at === block.length) {
      next++;
      at = 0;
    }
    const lines = splitter.add(window.subarray(start, end));
    return { lines: next < body.length ? lines : [...lines, ...splitter.end()], bytes: end };
  };

  return {
    get isRead() {
      return next >= body.length;
    },
    read(limits) {
      const lines: string[] = [];
      let count = 0;
      let bytes = 0;
      let block: Buffer | undefined;
      while (count < limits.lines && bytes < limits.bytes && (block = body[next]) !== undefined) {
        const run = readRun(block, { lines: limits.lines - count, bytes: limits.bytes - bytes });
        for (const line of run.lines) if (!isBlank(line)) lines.push(line);
        count += run.lines.length;
        bytes += run.bytes;
      }
      return { lines, count, bytes };
    },
  };
}

/** Returns the end of the blank lines that begin at `start`. Skipping them is much faster than decoding them. */
function endOfBlankLines(window: Buffer, start: number): number {
  let end = start;
  for (let at = start; isSpace(window[at]); at++) if (window[at] === NEWLINE) end = at + 1;
  return end;
}

/** Returns the end of at most `max` lines that begin at `start`. Stops before a blank line, unless it is the first. */
function endOfLines(window: Buffer, start: number, max: number): number {
  let end = start;
  for (let count = 0; count < max; count++) {
    if (count > 0 && endOfBlankLines(window, end) > end) return end;
    const newline = window.indexOf(NEWLINE, end);
    if (newline === -1) return window.length;
    end = newline + 1;
  }
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && (byte === SPACE || (byte >= TAB && byte <= CARRIAGE_RETURN));
}
