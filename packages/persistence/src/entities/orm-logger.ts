import type { Logger } from '@mikro-orm/core';

/** What the ORM warns of, in one line. A query is without its parameters. */
export interface OrmWarning {
  readonly reason: string;
  readonly query?: string;
  readonly ms?: number | undefined;
}

const QUERY_MAX = 1000;

/**
 * The ORM's log: passes on what the ORM warns of, and each query that fails or is slow. It never tells parameters, which
 * may be secrets.
 */
export function ormLogger(onWarning: (warning: OrmWarning) => void): Logger {
  const warn = (_: string, reason: string): void => onWarning({ reason });
  return {
    warn,
    error: warn,
    log: (namespace, reason, context) => {
      if (namespace === 'deprecated' || (context?.level ?? 'info') !== 'info') warn(namespace, reason);
    },
    logQuery: ({ query = '', took: ms, level, namespace }) => {
      // A slow query that fails is told twice: as failed, and as slow.
      const isSlow = namespace === 'slow-query';
      if (!isSlow && level !== 'error') return;
      const reason = isSlow ? 'a query was slow' : 'a query failed';
      onWarning({ reason, query: query.slice(0, QUERY_MAX), ms });
    },
    setDebugMode: () => undefined,
    isEnabled: () => false,
  };
}
