import {
  DomainError,
  invalidInput,
  type IdClaims,
  type IdTokenVerifier,
  type SignInAttempt,
} from '@plugin-config/domain';
import * as oidc from 'openid-client';
import { ALGORITHMS, unreadable } from '../../trust/id-tokens.ts';
import type { SendToIssuer } from '../../trust/issuer-requests.ts';
import type { PublishedIssuer, PublishedIssuers } from '../../trust/published-issuers.ts';

const ERROR_CODE = /^[a-z_]{1,50}$/;
const SERVER_ERROR = 500;

/** The client of this service at the identity provider. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Dependencies {
  readonly client: OidcClient;
  /** The claim that the roles need. It is also requested as a scope if the provider has one of that name. */
  readonly claim: string;
  readonly redirectUri: string;
  readonly issuers: PublishedIssuers;
  readonly idTokens: IdTokenVerifier;
  readonly send: SendToIssuer;
}

type Secrets = Pick<SignInAttempt, 'state' | 'nonce' | 'verifier'>;

/** The identity provider whose users sign in to the console. */
export interface OidcProvider {
  /** Returns the address at which the user signs in. @throws DomainError `unavailable` */
  addressFor(secrets: Secrets): Promise<URL>;
  /**
   * Returns the claims of the user who comes back with these parameters.
   * @throws DomainError `invalid_input`, `not_granted` or `unavailable`
   */
  claimsOf(parameters: string, secrets: Secrets): Promise<IdClaims>;
}

export function newSecrets(): Secrets {
  return {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
}

export function oidcProvider({
  client,
  claim,
  redirectUri,
  issuers,
  idTokens,
  send,
}: Dependencies): OidcProvider {
  const { issuer } = client;
  const found = async (): Promise<PublishedIssuer> => {
    const published = await issuers.find(issuer);
    if (published === null) throw unreadable();
    return published;
  };
  return {
    async addressFor({ state, nonce, verifier }) {
      const { metadata } = await found();
      const known = [metadata['scopes_supported']].flat();
      return oidc.buildAuthorizationUrl(configurationOf(client, metadata), {
        redirect_uri: redirectUri,
        scope: ['openid', 'profile', ...(known.includes(claim) ? [claim] : [])].join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async claimsOf(parameters, { state, nonce, verifier }) {
      const { metadata } = await found();
      const configuration = configurationOf(client, metadata);
      let isAway = false;
      configuration[oidc.customFetch] = (url, { method, headers, body }) =>
        fetched(send, url, { method, headers, body }).catch((error: unknown) => {
          isAway = true;
          throw error;
        });
      const address = new URL(redirectUri);
      address.search = parameters;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await oidc
        .authorizationCodeGrant(configuration, address, checks)
        .catch((error: unknown) => {
          throw isAway ? unreachable() : rejectionOf(error);
        });
      const { id_token: idToken = '' } = tokens;
      // The library checks the claims, but not the signature of a token that it got over TLS.
      return idTokens.verify(idToken, issuer);
    },
  };
}

/** Takes what is needed from the provider's document, and pins the rest. */
function configurationOf(
  { issuer, clientId, clientSecret }: OidcClient,
  metadata: PublishedIssuer['metadata'],
): oidc.Configuration {
  const address = (name: string): string => {
    const value = metadata[name];
    if (typeof value === 'string' && URL.canParse(value)) return value;
    throw unreadable();
  };
  const methods = [metadata['token_endpoint_auth_methods_supported']].flat();
  const authentication = methods.includes('client_secret_post')
    ? oidc.ClientSecretPost
    : oidc.ClientSecretBasic;
  const configuration = new oidc.Configuration(
    {
      issuer,
      authorization_endpoint: address('authorization_endpoint'),
      token_endpoint: address('token_endpoint'),
      id_token_signing_alg_values_supported: ALGORITHMS,
      authorization_response_iss_parameter_supported:
        metadata['authorization_response_iss_parameter_supported'] === true,
    },
    clientId,
    {},
    authentication(clientSecret),
  );
  // The address filter decides on plain HTTP.
  // oxlint-disable-next-line typescript/no-deprecated
  oidc.allowInsecureRequests(configuration);
  return configuration;
}

type Sent = Pick<oidc.CustomFetchOptions, 'method' | 'headers' | 'body'>;

async function fetched(send: SendToIssuer, url: string, { method, headers, body }: Sent): Promise<Response> {
  const {
    status,
    headers: received,
    body: text,
  } = await send(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
  });
  if (status >= SERVER_ERROR) throw unreachable();
  return new Response(text, { status, headers: { 'content-type': received['content-type'] ?? '' } });
}

/** The library's messages are constant, without codes, tokens or claims. Only their causes have those. */
function rejectionOf(error: unknown): Error {
  if (error instanceof oidc.AuthorizationResponseError)
    return new DomainError('not_granted', `The identity provider did not sign you in${named(error.error)}.`);
  if (error instanceof oidc.ResponseBodyError)
    return invalidInput('code', `The identity provider did not accept the sign-in${named(error.error)}.`);
  if (!(error instanceof oidc.ClientError)) return error as Error;
  const { message } = error.cause instanceof Error ? error.cause : error;
  return invalidInput('code', `The response of the identity provider was not accepted: ${message}.`);
}

function named(code: string): string {
  return ERROR_CODE.test(code) ? ` (${code})` : '';
}

function unreachable(): DomainError {
  return new DomainError('unavailable', 'The identity provider cannot be reached. Try again later.');
}
