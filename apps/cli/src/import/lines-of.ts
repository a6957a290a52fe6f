const NEWLINE = 0x0a;

export interface Line {
  readonly number: number;
  /** Null if the line is too long. */
  readonly bytes: Uint8Array | null;
}

/** Splits a stream into lines. Never holds more than one chunk and one line of `maxBytes`. */
export async function* linesOf(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let [number, size] = [0, 0];
  let pieces: Buffer[] = [];
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const end = (): Line => {
    const line = { number: ++number, bytes: size > maxBytes ? null : Buffer.concat(pieces) };
    [size, pieces] = [0, []];
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at));
      start = at + 1;
      yield end();
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield end();
}
