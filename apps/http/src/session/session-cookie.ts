import type { OwnOrigin } from '@plugin-config/domain';
import type { FastifyReply } from 'fastify';

const NAME = 'plugin_config_session';

/** Browsers accept a cookie with the prefix `__Host-` only from this host, over HTTPS. */
export function cookieName({ isSecure }: OwnOrigin): string {
  return isSecure ? `__Host-${NAME}` : NAME;
}

/** Returns the value of a cookie; null if there is none, or several: a sibling domain may have set one of them. */
export function cookieOf(header: string, name: string): string | null {
  const values = [...header.matchAll(new RegExp(String.raw`(?:^|;)\s*${name}=([^;]*)`, 'g'))];
  return values.length === 1 ? (values[0]?.[1]?.trim() ?? null) : null;
}

/** Sets the cookie, or clears it if `seconds` is 0. */
export function setCookie(
  reply: FastifyReply,
  own: OwnOrigin,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${own.isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(own)}=${value}; ${attributes}`);
}
