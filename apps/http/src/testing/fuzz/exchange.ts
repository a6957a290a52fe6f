import { connect, type Socket } from 'node:net';

export interface Exchanged {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the lines of a request unchanged, and reads until the server closes the connection, or only the head of a stream. */
export function exchange(url: string, lines: readonly string[], body: string): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const finish = (): void => {
      resolve(parse(Buffer.concat(chunks).toString()));
      socket.destroy();
    };
    socket.setTimeout(SILENCE_MS, () => endSilent(socket, lines));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.length === 1 && STREAM.test(chunk.toString('latin1'))) finish();
    });
    socket.on('end', finish);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (chunks.length > 0) finish();
      else reject(error);
    });
    socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  });
}

const SILENCE_MS = 10_000;
const STREAM = /^content-type: text\/event-stream/im;

function endSilent(socket: Socket, [line]: readonly string[]): void {
  socket.destroy(new Error(`No response within ${SILENCE_MS} ms: ${line}`));
}

function parse(text: string): Exchanged {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  return { status: Number(head.split(' ')[1]), head, body: end === -1 ? '' : text.slice(end + 4) };
}
