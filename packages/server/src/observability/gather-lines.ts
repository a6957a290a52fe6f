import { writeSync } from 'node:fs';

/** Standard output or standard error. Node writes to files synchronously, and to pipes and sockets asynchronously. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'on' | 'writableLength'> & { readonly fd: number };

interface Lines {
  write(line: string): void;
  /** Writes all lines still in memory. Gives up if the reader accepts nothing for a second. */
  flushSync(): void;
}

interface Piece {
  text: string;
  bytes: number;
}

/** Several processes may write to one pipe. The kernel does not interleave writes of up to this size. */
const PIECE_BYTES = 4096;
/** How much can wait for a slow reader. Further lines are lost. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024;
const GIVE_UP_MS = 1000;
const RETRY_MS = 10;

/** Writes all lines of one turn of the event loop together, because a write per line would be slow. */
export function gatherLines(
  output: Output,
  /** Called with the number of lost lines when the reader catches up or the process exits. */
  onLost: (lines: number) => void,
  maxBytes = WAITING_MAX_BYTES,
): Lines {
  const pieces: Piece[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let isReportingLost = false;
  let lastWritten = '';
  let isBusy = false;
  // The process should not crash because the reader of its log has gone.
  output.on('error', () => undefined);

  /** The line that reports lost lines is exempt from the limit. */
  const reportLost = (): void => {
    const lines = lost;
    if (lines === 0) return;
    lost = 0;
    isReportingLost = true;
    onLost(lines);
    isReportingLost = false;
  };
  const writeNext = (): void => {
    const piece = pieces.shift();
    isBusy = piece !== undefined;
    if (piece === undefined) return;
    waitingBytes -= piece.bytes;
    lastWritten = piece.text;
    output.write(lastWritten, () => {
      reportLost();
      writeNext();
    });
  };
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > maxBytes && !isReportingLost) {
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
      reportLost();
      const unsent = output.writableLength > 0 ? [lastWritten] : [];
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
