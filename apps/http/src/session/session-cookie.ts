import type { OwnOrigin } from '@plugin-config/domain';
import type { FastifyReply } from 'fastify';

const NAME = 'plugin_config_session';

/** Browsers take a cookie with the prefix `__Host-` only from this very host, and never from a script. */
export function cookieName({ isSecure }: OwnOrigin): string {
  return isSecure ? `__Host-${NAME}` : NAME;
}

/** The value of a cookie; null if there is none, or several, of which another site may have set one. */
export function cookieOf(header: string, name: string): string | null {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null;
}

/** Sets the cookie for some seconds; for 0 seconds, clears it. */
export function setCookie(
  reply: FastifyReply,
  own: OwnOrigin,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${own.isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(own)}=${value}; ${attributes}`);
}
