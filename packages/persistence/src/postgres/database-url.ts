/** One server of a `DATABASE_URL`. */
export interface DatabaseHost {
  /** The address without user and database, such as `db1:5432`. */
  readonly name: string;
  /** The URL of this server alone. */
  readonly url: string;
}

export interface DatabaseAddress {
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  /** Whether to connect only to a server that can be written to. */
  readonly needsPrimary: boolean;
}

export const HOSTS_MAX = 16;
const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([/?#].*)?$/s;
const WITH_PRIMARY: ReadonlySet<string> = new Set(['read-write', 'primary']);

/**
 * Reads a `DATABASE_URL`: as libpq, it takes several hosts, separated by commas. With several hosts, only the primary will
 * do, also without `target_session_attrs`.
 * @throws Error with a line for the operator
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, before = '', servers = '', after = ''] = FORM.exec(text) ?? [];
  const names = servers.split(',');
  if (names.length > HOSTS_MAX) throw new Error(`DATABASE_URL takes at most ${HOSTS_MAX} hosts.`);
  const [first, ...others] = names.map((name) => ({ name, url: `${before}${name}${after}` }));
  const wrong = [first, ...others].some((host) => host === undefined || !URL.canParse(host.url));
  if (first === undefined || wrong || (others.length > 0 && names.includes(''))) {
    throw new Error(
      'DATABASE_URL takes an address such as postgres://user:password@host:5432/database, or with several hosts, separated by commas: postgres://user:password@one:5432,two:5432/database.',
    );
  }
  const wanted = new URL(first.url).searchParams.get('target_session_attrs');
  const isKnown = wanted === null || WITH_PRIMARY.has(wanted) || (wanted === 'any' && others.length === 0);
  if (!isKnown) {
    throw new Error(
      'target_session_attrs in DATABASE_URL takes read-write or primary: the service writes. Several hosts need one of them, which is the default.',
    );
  }
  return {
    hosts: [first, ...others],
    needsPrimary: others.length > 0 || (wanted !== null && wanted !== 'any'),
  };
}
