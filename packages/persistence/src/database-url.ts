// An entry of its own: the command checks its settings before it loads the stores.

/** What `DATABASE_URL` takes, for error messages. */
export const DATABASE_URL_FORM =
  "one address such as postgres://user:password@host:5432/database; among several servers, HAProxy, pgbouncer in session mode, a Kubernetes service or the provider's endpoint finds the primary";

/** Whether a text is a `DATABASE_URL`. One with several hosts, as libpq takes it, is not. */
export function isDatabaseUrl(text: string): boolean {
  const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) return false;
  return ![url.hostname, ...url.searchParams.getAll('host')].some((host) => host.includes(','));
}
