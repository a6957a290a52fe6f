import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address that can be moved from one server to another. Open connections stay with their server. */
export async function movingAddress(url: string) {
  let target = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const forward = connect(Number(target.port), target.hostname);
    for (const one of [socket, forward]) one.on('error', () => undefined);
    forward.on('close', () => socket.destroy());
    socket.on('close', () => forward.destroy());
    socket.pipe(forward).pipe(socket);
    sockets.push(socket, forward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    moveTo: (other: string) => void (target = new URL(other)),
  };
}
