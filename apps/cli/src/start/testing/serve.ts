import { createServer } from 'node:http';

/** Acts like an app: listens, is ready, and exits on SIGTERM (unless `STUBBORN`) or with its parent. */
export function serve(port: number): void {
  const { DATABASE_URL, SECRETS_KEYS, STUBBORN } = process.env;
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close');
    const settings = { databaseUrl: DATABASE_URL, secretsKeys: SECRETS_KEYS };
    response.end(JSON.stringify({ pid: process.pid, ...settings }));
  });
  const end = (): void => void server.close(() => process.exit(0));
  server.listen(port, '127.0.0.1');
  process.on('SIGTERM', STUBBORN === undefined ? end : () => {});
  process.once('disconnect', end);
}
