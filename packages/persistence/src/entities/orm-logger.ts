import type { Logger } from '@mikro-orm/core';

/** A warning of the ORM. Queries have no parameters, which may be secrets. */
export interface OrmWarning {
  readonly reason: string;
  readonly query?: string;
  readonly ms?: number | undefined;
}

const QUERY_MAX = 1000;

/** Returns a logger for the ORM that passes on its warnings, and the text of each failed or slow query. */
export function ormLogger(onWarning: (warning: OrmWarning) => void): Logger {
  const warn = (_: string, reason: string): void => onWarning({ reason });
  return {
    warn,
    error: warn,
    log: (namespace, reason, context) => {
      if (namespace === 'deprecated' || (context?.level ?? 'info') !== 'info') warn(namespace, reason);
    },
    logQuery: ({ query = '', took: ms, level, namespace }) => {
      // A slow query that fails is reported twice: as failed, and as slow.
      const isSlow = namespace === 'slow-query';
      if (!isSlow && level !== 'error') return;
      const reason = isSlow ? 'a query was slow' : 'a query failed';
      onWarning({ reason, query: query.slice(0, QUERY_MAX), ms });
    },
    setDebugMode: () => undefined,
    isEnabled: () => false,
  };
}
