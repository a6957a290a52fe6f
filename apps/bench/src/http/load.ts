import { connect, type Socket } from 'node:net';

/** Requests as the bytes that go over the wire, taken in turn. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  readonly failed: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

/** As many closed loops as connections: each sends a request, reads the answer to its end, and sends the next. */
async function run({ port, connections, milliseconds, requests }: LoadOrder): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  let turn = 0;
  let answered = 0;
  let failed = 0;
  const next = (): Buffer => bytes[turn++ % bytes.length] ?? Buffer.alloc(0);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const start = performance.now();
  for (const socket of sockets) {
    readAnswers(socket, (ok) => {
      if (ok) answered++;
      else failed++;
      socket.write(next());
    });
    socket.write(next());
  }
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const perSecond = (answered * 1000) / (performance.now() - start);
  for (const socket of sockets) socket.destroy();
  return { perSecond, failed };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function readAnswers(socket: Socket, onAnswer: (ok: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let missing = 0;
  let ok = false;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    if (missing === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      ok = text.startsWith('HTTP/1.1 2');
      missing = Number(LENGTH.exec(text)?.[1] ?? 0);
      rest = head.subarray(end + HEAD_END.length);
      head = Buffer.alloc(0);
    }
    missing -= rest.length;
    if (missing <= 0) {
      missing = 0;
      onAnswer(ok);
    }
  });
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
