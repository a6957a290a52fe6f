import { PluginConfigError } from '@plugin-config/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { SESSION_KEY } from '../session/session.ts';

/** Creates the cache of everything read from the service. Retries are off because the client does them. */
export function newQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof PluginConfigError && error.type === 'authentication_error') {
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    }
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queries;
}
