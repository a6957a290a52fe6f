// A separate entry point: the CLI checks its settings before it loads the stores.

/** Describes the format of `DATABASE_URL` in error messages. */
export const DATABASE_URL_FORM =
  "a single address such as postgres://user:password@host:5432/database; for several servers, use the address of HAProxy, pgbouncer in session mode, a Kubernetes service or the provider's endpoint to reach the primary";

/** Returns whether a text is a valid `DATABASE_URL`. Several hosts, as libpq allows, are not supported. */
export function isDatabaseUrl(text: string): boolean {
  const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) return false;
  return ![url.hostname, ...url.searchParams.getAll('host')].some((host) => host.includes(','));
}
