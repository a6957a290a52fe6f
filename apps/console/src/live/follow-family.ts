import { PluginConfigError } from '@plugin-config/client';
import type { QueryClient } from '@tanstack/react-query';
import { SESSION_KEY, type SessionState } from '../session/session.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { isAtVersion } from './family-records.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { familyKey, listKey, recordKey, recordsOf, selectionsKey } from './use-family.ts';

/** Whether the page follows changes. */
export type Liveness = 'connecting' | 'live' | 'lost' | 'rejected';

interface Options {
  readonly queries: QueryClient;
  readonly signal: AbortSignal;
  readonly onLiveness: (liveness: Liveness) => void;
}

const RETRY_MS = 3000;
const NO_RESPONSE = { type: null, status: null };

/** Refetches the queries that changes affect, until it is aborted or an error occurs that retries cannot fix. */
export async function followFamily(at: FamilyRef, options: Options): Promise<void> {
  const { queries, signal, onLiveness } = options;
  for (;;) {
    try {
      await followStream(at, options);
    } catch (error) {
      if (signal.aborted) return;
      const { type, status } = error instanceof PluginConfigError ? error : NO_RESPONSE;
      const isUnauthenticated = type === 'authentication_error';
      if (isUnauthenticated) await queries.invalidateQueries({ queryKey: SESSION_KEY });
      // An ended token has been replaced by then, and the stream goes on.
      const isSignedOut = isUnauthenticated && queries.getQueryData<SessionState>(SESSION_KEY)?.key == null;
      if (isSignedOut || status === 403 || status === 404) {
        onLiveness('rejected');
        return;
      }
      onLiveness('lost');
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (signal.aborted) return;
  }
}

async function followStream(at: FamilyRef, { queries, signal, onLiveness }: Options): Promise<void> {
  const readList = oneAtATime(async () => queries.invalidateQueries({ queryKey: listKey(at) }));
  const readSelections = oneAtATime(async () => queries.invalidateQueries({ queryKey: selectionsKey(at) }));
  /** Waits for what is being read now: it may have been read before the stream began. */
  const settle = async (): Promise<void> =>
    queries.refetchQueries({ queryKey: familyKey(at), fetchStatus: 'fetching' }, { cancelRefetch: false });
  const readEverything = async (): Promise<void> => {
    await settle();
    await queries.invalidateQueries({ queryKey: familyKey(at) });
  };
  /** Reads everything unless what has been read, or is being read now, is what the stream continues from. */
  const catchUp = async (version: string): Promise<void> => {
    await settle();
    const cached = queries.getQueriesData({ queryKey: familyKey(at) }).map(([, data]) => data);
    if (!isAtVersion(cached, version)) await readEverything();
  };
  const events = recordsOf(at).stream({
    signal,
    onOpen: (version) => {
      onLiveness('live');
      void catchUp(version);
    },
    onError: () => onLiveness('lost'),
  });
  for await (const { event, data } of events) {
    if (event === 'reset') {
      queries.removeQueries({ queryKey: listKey(at), type: 'inactive' });
      void readEverything();
    } else {
      readList();
      if (event === 'record') {
        void queries.invalidateQueries({ queryKey: recordKey({ ...at, id: data.id }) });
        readSelections();
      }
    }
  }
}
