import {
  DomainError,
  endOfSignIn,
  isTransient,
  ownOriginOf,
  SIGN_IN_MS,
  signIn,
  type Clock,
  type IdTokenVerifier,
  type ProjectLookup,
  type Randomness,
  type RoleRules,
  type SignInAttempt,
  type SignInCipher,
  type TokenHasher,
  type UserStore,
} from '@plugin-config/domain';
import { queryOf } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { publicPath } from '../../requests/base-url.ts';
import type { SendToIssuer } from '../../trust/issuer-requests.ts';
import type { PublishedIssuers } from '../../trust/published-issuers.ts';
import { cookieOf } from '../cookie-of.ts';
import type { PageSessions } from '../page-sessions.ts';
import { signInAttempts } from '../sign-in-attempts.ts';
import { newSecrets, oidcProvider, type OidcClient } from './oidc-provider.ts';
import { SIGN_IN_PAGE_HEADERS, signInPage } from './sign-in-page.ts';

/** The identity provider of the console's users. */
export interface OidcSettings extends OidcClient {
  readonly rules: RoleRules;
  /** The address of the service: it is not taken from requests, which may come through a proxy. */
  readonly publicUrl: string;
}

interface Dependencies {
  readonly users: UserStore;
  readonly projects: ProjectLookup['projects'];
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
  readonly signInCipher: SignInCipher;
  readonly sessions: PageSessions;
  readonly issuers: PublishedIssuers;
  readonly idTokens: IdTokenVerifier;
  readonly sendToIssuer: SendToIssuer;
  readonly logger: Logger;
}

const PATH = '/api/session/oidc';
const PAGE_MAX = 1000;

/** Signs users in to the console with an identity provider: by the code flow of OpenID Connect, with PKCE, state and nonce. */
export function oidcRoutes(app: FastifyInstance, settings: OidcSettings, dependencies: Dependencies): void {
  const { clock, signInCipher, sessions, logger } = dependencies;
  const { publicUrl, rules, issuer } = settings;
  const provider = oidcProvider({
    ...dependencies,
    client: settings,
    claim: rules.claim,
    redirectUri: `${publicUrl}${PATH}/callback`,
    send: dependencies.sendToIssuer,
  });
  const cookie = signInCookie(publicUrl);
  const countAttempt = signInAttempts();
  const config = {
    encodeProblem: (problem: Parameters<typeof signInPage>[0], { id: requestId }: FastifyRequest) =>
      signInPage(problem, { console: `${publicUrl}/console`, requestId }),
  };

  app.get(`${PATH}/start`, { config }, async (request, reply) => {
    reply.headers(SIGN_IN_PAGE_HEADERS);
    const { page } = request.query as { readonly page?: unknown };
    const secrets = newSecrets();
    const address = await provider.addressFor(secrets);
    const attempt = { ...secrets, page: consolePage(page, publicUrl), begunAt: clock.now() };
    cookie.set(reply, { value: signInCipher.encrypt(attempt), seconds: SIGN_IN_MS / 1000 });
    return reply.redirect(address.href, 303);
  });

  app.get(`${PATH}/callback`, { config }, async (request, reply) => {
    reply.headers(SIGN_IN_PAGE_HEADERS);
    let undo = (): void => undefined;
    try {
      // Counts only sign-ins of this browser, since pages of other sites can open this address. One that is limited can be repeated.
      const attempt = attemptOf(request);
      undo = countAttempt(request.ip, performance.now());
      cookie.set(reply, { value: '', seconds: 0 });
      const claims = await provider.claimsOf(queryOf(request.url), attempt);
      const once = { id: attempt.state, expiresAt: endOfSignIn(attempt) };
      const session = await signIn(dependencies, { issuer, rules, claims, once, requestId: request.id });
      sessions.begin(request, reply, session);
      undo();
      return await reply.redirect(`${new URL(publicUrl).origin}${attempt.page}`, 303);
    } catch (error) {
      if (isTransient(error)) undo();
      const reason = error instanceof DomainError ? error.message : 'an unexpected error';
      logger.warn({ request_id: request.id, reason }, 'a sign-in failed');
      throw error;
    }
  });

  function attemptOf(request: FastifyRequest): SignInAttempt {
    const encrypted = cookie.read(request);
    const attempt = encrypted === null ? null : signInCipher.decrypt(encrypted);
    const state = new URLSearchParams(queryOf(request.url)).getAll('state');
    const isOwn = attempt !== null && state.length === 1 && state[0] === attempt.state;
    if (isOwn && endOfSignIn(attempt) > clock.now()) return attempt;
    throw new DomainError(
      'invalid_input',
      `This sign-in did not begin in this browser at ${publicUrl}, another began after it, or it took longer than ten minutes. Sign in again.`,
    );
  }
}

/** Returns the path of a page of the console; that of the console itself for anything else, such as a page of another site. */
function consolePage(page: unknown, publicUrl: string): string {
  const root = `${publicPath({ publicUrl })}/console`;
  const url = typeof page === 'string' ? URL.parse(page, publicUrl) : null;
  const isOwn = url !== null && url.origin === new URL(publicUrl).origin;
  if (!isOwn || url.href.length > PAGE_MAX || (url.pathname !== root && !url.pathname.startsWith(`${root}/`)))
    return root;
  return `${url.pathname}${url.search}${url.hash}`;
}

interface Cookie {
  readonly value: string;
  readonly seconds: number;
}

/** The cookie of a sign-in. It is sent with the navigation back from the provider, and to no other path of the service. */
function signInCookie(publicUrl: string) {
  const { isSecure } = ownOriginOf(new URL(publicUrl));
  const name = `${isSecure ? '__Secure-' : ''}plugin_config_sign_in`;
  const attributes = `Path=${publicPath({ publicUrl })}${PATH}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: ({ raw: { headers } }: FastifyRequest) => cookieOf(headers.cookie ?? '', name),
    set: (reply: FastifyReply, { value, seconds }: Cookie) =>
      reply.header('set-cookie', `${name}=${value}; Max-Age=${seconds}; ${attributes}`),
  };
}
