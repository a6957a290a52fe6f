const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\u{FEFF}';

export interface LineSplitter {
  /** True if the last chunk ended within a line. */
  readonly isMidLine: boolean;
  /** Returns the lines that end in this chunk, without newlines. */
  add(chunk: Buffer): readonly string[];
  /** Returns the last line if it has no newline. */
  end(): readonly string[];
}

interface Options {
  /** Longer lines are truncated. */
  readonly maxBytes: number;
}

/** Splits UTF-8 chunks into lines. Decodes whole chunks, which is faster than line by line. */
export function lineSplitter({ maxBytes }: Options): LineSplitter {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  let atStart = true;

  const carry = (bytes: Buffer): void => {
    if (bytes.length === 0 || carriedBytes >= maxBytes) return;
    carried.push(bytes.subarray(0, maxBytes - carriedBytes));
    carriedBytes += bytes.length;
  };
  const release = (): string => {
    const text = carried.length === 1 ? (carried[0] as Buffer).toString() : Buffer.concat(carried).toString();
    carried = [];
    carriedBytes = 0;
    return text;
  };
  const lines = (text: string): readonly string[] => {
    const start = atStart && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    atStart = false;
    return text.slice(start).split('\n');
  };

  return {
    get isMidLine() {
      return carriedBytes > 0;
    },
    add(chunk) {
      const last = chunk.lastIndexOf(NEWLINE);
      if (last === -1) {
        carry(chunk);
        return [];
      }
      if (carriedBytes === 0) {
        carry(chunk.subarray(last + 1));
        return lines(chunk.toString('utf8', 0, last));
      }
      const first = chunk.indexOf(NEWLINE);
      carry(chunk.subarray(0, first));
      const broken = lines(release());
      carry(chunk.subarray(last + 1));
      return first === last ? broken : [...broken, ...chunk.toString('utf8', first + 1, last).split('\n')];
    },
    end() {
      return carriedBytes === 0 ? [] : lines(release());
    },
  };
}

/** Whether the line contains only white space, and is therefore not a message. */
export function isBlank(line: string): boolean {
  return line.charCodeAt(0) !== 0x7b && line.trim() === '';
}
