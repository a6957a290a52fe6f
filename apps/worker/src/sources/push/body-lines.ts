import { MESSAGE_MAX_BYTES } from '../batch-limits.ts';
import { isBlank, lineSplitter } from '../line-splitter.ts';

/** Reads a body a few lines at a time. Only what is asked for is split and decoded. */
export interface BodyLines {
  /** True if nothing is left to read. */
  readonly isRead: boolean;
  /** Reads on, up to this many lines and bytes, whatever they hold. */
  read(most: LineLimits): ReadLines;
}

interface LineLimits {
  readonly lines: number;
  readonly bytes: number;
}

interface ReadLines {
  /** The lines that are not blank. */
  readonly lines: readonly string[];
  /** How many lines were read. Runs of blank lines that were skipped count by their bytes alone. */
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

  /** Reads lines that are not blank, or skips blank ones. */
  const readOn = (block: Buffer, most: LineLimits) => {
    const window = block.subarray(at, at + most.bytes);
    const start = splitter.isMidLine ? 0 : endOfBlankLines(window, 0);
    const end = endOfLines(window, start, most.lines);
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
    read(most) {
      const lines: string[] = [];
      let count = 0;
      let bytes = 0;
      let block: Buffer | undefined;
      while (count < most.lines && bytes < most.bytes && (block = body[next]) !== undefined) {
        const found = readOn(block, { lines: most.lines - count, bytes: most.bytes - bytes });
        for (const line of found.lines) if (!isBlank(line)) lines.push(line);
        count += found.lines.length;
        bytes += found.bytes;
      }
      return { lines, count, bytes };
    },
  };
}

/** Returns where the blank lines end that begin at `start`. Skipping them is much faster than decoding them. */
function endOfBlankLines(window: Buffer, start: number): number {
  let end = start;
  for (let at = start; isSpace(window[at]); at++) if (window[at] === NEWLINE) end = at + 1;
  return end;
}

/** Returns where the lines end that begin at `start`: at most this many, and no blank ones after the first. */
function endOfLines(window: Buffer, start: number, most: number): number {
  let end = start;
  for (let count = 0; count < most; count++) {
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
