import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendDocument, type Issuer } from '@plugin-config/server/testing';
import { onTestFinished } from 'vitest';

const REQUEST_TOKEN = 'request-token';

/** Starts the part of GitHub Actions that gives tokens to a job. Returns the variables of such a job. */
export async function startActions(issuer: Issuer): Promise<Readonly<Record<string, string>>> {
  const server = http.createServer((request, response) => {
    const audience = new URL(request.url ?? '', 'http://actions').searchParams.get('audience');
    if (request.headers.authorization === `Bearer ${REQUEST_TOKEN}`)
      void issuer.sign({ aud: audience }).then((value) => sendDocument(response, { value }));
    else response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
  };
}
