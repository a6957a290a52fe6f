import { writeSync } from 'node:fs';

/** Standard output or standard error. Node writes to files at once, and to pipes and sockets without blocking. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'on' | 'writableLength'> & { readonly fd: number };

interface Lines {
  write(line: string): void;
  /** Writes what is still in memory. Gives up if the reader takes nothing for a second. */
  flushSync(): void;
}

interface Piece {
  text: string;
  bytes: number;
}

/** Several processes write to one pipe, and the kernel never mixes writes of up to this size. */
const PIECE_BYTES = 4096;
/** How much waits for a slow reader. Lines that come later are lost. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024;
const GIVE_UP_MS = 1000;
const RETRY_MS = 10;

/** Writes the lines of a turn of the event loop together: one write for each line would cost more than the line. */
export function gatherLines(
  output: Output,
  /** Writes how many lines were lost, once the reader goes on or the process ends. */
  onLost: (lines: number) => void,
  most = WAITING_MAX_BYTES,
): Lines {
  const pieces: Piece[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let isTelling = false;
  /** What was given to the output last. */
  let written = '';
  let isBusy = false;
  // A reader that has gone is no reason to end.
  output.on('error', () => undefined);

  /** The line about lost lines is never lost itself. */
  const tellLost = (): void => {
    const told = lost;
    if (told === 0) return;
    lost = 0;
    isTelling = true;
    onLost(told);
    isTelling = false;
  };
  const writeNext = (): void => {
    const piece = pieces.shift();
    isBusy = piece !== undefined;
    if (piece === undefined) return;
    waitingBytes -= piece.bytes;
    written = piece.text;
    output.write(written, () => {
      tellLost();
      writeNext();
    });
  };
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > most && !isTelling) {
        lost++;
        return;
      }
      waitingBytes += bytes;
      const last = pieces.at(-1);
      if (last === undefined || last.bytes + bytes > PIECE_BYTES) pieces.push({ text: line, bytes });
      else {
        last.text += line;
        last.bytes += bytes;
      }
      if (isBusy) return;
      isBusy = true;
      setImmediate(writeNext);
    },
    flushSync() {
      tellLost();
      const unsent = output.writableLength > 0 ? [written] : [];
      for (const { text } of pieces.splice(0)) unsent.push(text);
      writeAll(output.fd, unsent.join(''));
    },
  };
}

function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text);
  let giveUpAt = performance.now() + GIVE_UP_MS;
  while (bytes.length > 0 && performance.now() < giveUpAt) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
      giveUpAt = performance.now() + GIVE_UP_MS;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
