import {
  DomainError,
  endOf,
  isFromOwnPage,
  latestEndOf,
  ownOriginOf,
  renewed,
  sessionEnded,
  type Clock,
  type OwnOrigin,
  type Session,
  type SessionCipher,
} from '@plugin-config/domain';
import type { RequestSession } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BaseUrl } from '../requests/base-url.ts';
import { cookieOf } from './cookie-of.ts';

const COOKIE = 'plugin_config_session';
const HOUR_MS = 60 * 60_000;
/** Replaces a base URL that cannot be parsed: no page has this origin. */
const NOWHERE = { origin: 'nowhere', protocol: 'https:', hostname: '' };

interface Dependencies {
  readonly sessionCipher: SessionCipher;
  readonly clock: Clock;
  readonly baseUrl: BaseUrl;
  readonly sessionHours: number;
}

/** The sessions of the pages of this service. A session is an encrypted cookie; the server stores nothing. */
export interface PageSessions {
  /**
   * Returns the session of a request from a page of this service; null if there is none.
   * @throws DomainError `authentication_failed` if it has ended or cannot be decrypted
   */
  of(request: FastifyRequest): RequestSession | null;
  /** @throws DomainError `not_granted` if the request does not come from a page of this service */
  requireOwnPage(request: FastifyRequest): void;
  /** Starts a session, which replaces the browser's current one. */
  begin(request: FastifyRequest, reply: FastifyReply, session: Session): void;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

export function pageSessions({ sessionCipher, clock, baseUrl, sessionHours }: Dependencies): PageSessions {
  const maxMs = sessionHours * HOUR_MS;
  const ownOrigin = (request: FastifyRequest): OwnOrigin =>
    ownOriginOf(URL.parse(baseUrl(request)) ?? NOWHERE);
  const send = (reply: FastifyReply, own: OwnOrigin, session: Session, at: Date): void => {
    const seconds = Math.ceil((endOf(session, maxMs).getTime() - at.getTime()) / 1000);
    setCookie(reply, own, { value: sessionCipher.encrypt(session), seconds });
  };
  return {
    of(request) {
      const { cookie } = request.raw.headers;
      if (cookie === undefined) return null;
      const own = ownOrigin(request);
      const encrypted = cookieOf(cookie, cookieName(own));
      if (encrypted === null || !isFromOwnPage(originOf(request), own)) return null;
      const session = sessionCipher.decrypt(encrypted);
      if (session === null || endOf(session, maxMs) <= clock.now()) throw sessionEnded();
      return {
        keyHash: session.keyHash,
        endsAt: latestEndOf(session, maxMs),
        renew(reply, at) {
          const used = renewed(session, at);
          if (used !== null) send(reply, own, used, at);
        },
      };
    },

    requireOwnPage(request) {
      const own = ownOrigin(request);
      if (!isFromOwnPage(originOf(request), own)) throw otherOrigin(own);
    },

    begin: (request, reply, session) => send(reply, ownOrigin(request), session, session.begunAt),
    clear: (request, reply) => setCookie(reply, ownOrigin(request), { value: '', seconds: 0 }),
  };
}

function originOf({ raw: { method, headers } }: FastifyRequest) {
  return {
    isRead: method === 'GET' || method === 'HEAD',
    origin: headers.origin,
    site: textOf(headers['sec-fetch-site']),
    mode: textOf(headers['sec-fetch-mode']),
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return header?.toString();
}

function otherOrigin({ origin }: OwnOrigin): DomainError {
  const message = `Sessions are only available to pages of ${origin}. Behind a proxy, the operator must set PUBLIC_URL or TRUST_PROXY.`;
  return new DomainError('not_granted', message);
}

/** Browsers accept a cookie with the prefix `__Host-` only from this host, over HTTPS. */
function cookieName({ isSecure }: OwnOrigin): string {
  return isSecure ? `__Host-${COOKIE}` : COOKIE;
}

/** Sets the cookie, or clears it if `seconds` is 0. */
function setCookie(
  reply: FastifyReply,
  own: OwnOrigin,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${own.isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(own)}=${value}; ${attributes}`);
}
