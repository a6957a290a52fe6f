import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

type Algorithm = 'RS256' | 'ES256' | 'EdDSA' | 'RS512' | 'ES384' | 'PS256';

interface Signing {
  readonly alg?: Algorithm;
  readonly kid?: string;
  /** Further fields of the header. */
  readonly header?: object;
}

type Claims = Readonly<Record<string, unknown>>;

/** An identity provider in the process of the test. */
export interface Issuer {
  readonly url: string;
  /** The paths that were requested. */
  readonly requests: string[];
  /** Replaces responses by path; undefined restores them. */
  readonly responses: Map<string, http.RequestListener>;
  /** Returns a token that is valid now, with these claims instead of its own; undefined removes one. */
  sign(claims?: Claims, signing?: Signing): Promise<string>;
  /** Adds a key, which the published keys have from then on. */
  addKey(alg: Algorithm, kid?: string): Promise<void>;
  publicKey(kid: string): JWK;
  close(): Promise<void>;
}

/** The claims of a deployment job. */
const JOB = {
  sub: 'repo:acme/shop:environment:production',
  repository_id: '123456789',
  environment: 'production',
};

/** The audience of its tokens. */
export const ISSUED_FOR = 'https://plugins.example.com';

export async function startIssuer(): Promise<Issuer> {
  const keys = new Map<string, { readonly key: CryptoKey; readonly jwk: JWK }>();
  const requests: string[] = [];
  const responses = new Map<string, http.RequestListener>();
  const server = http.createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const replaced = responses.get(path);
    if (replaced !== undefined) return replaced(request, response);
    if (path === '/.well-known/openid-configuration') return sendDocument(response, documentOf(url));
    if (path === '/keys') return sendDocument(response, { keys: [...keys.values()].map(({ jwk }) => jwk) });
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    requests,
    responses,
    async addKey(alg, kid = alg) {
      const pair = await generateKeyPair(alg, { extractable: true });
      const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
      keys.set(kid, { key: pair.privateKey, jwk });
    },
    publicKey: (kid) => keys.get(kid)?.jwk ?? {},
    sign(claims = {}, { alg = 'RS256', kid = alg, header = {} } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const own: Claims = {
        iss: url,
        aud: ISSUED_FOR,
        iat: now,
        nbf: now,
        exp: now + 240,
        jti: crypto.randomUUID(),
        ...JOB,
      };
      const all = Object.fromEntries(
        Object.entries({ ...own, ...claims }).filter(([, value]) => value !== undefined),
      );
      const key = keys.get(kid)?.key;
      if (key === undefined) throw new Error(`No key ${kid}.`);
      return new SignJWT(all).setProtectedHeader({ ...header, alg, kid }).sign(key);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await issuer.addKey('RS256');
  return issuer;
}

/** Returns what an issuer at this address publishes about itself. */
export function documentOf(url: string) {
  return {
    issuer: url,
    jwks_uri: `${url}/keys`,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    scopes_supported: ['openid', 'profile', 'groups'],
  };
}

export function sendDocument(response: http.ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
