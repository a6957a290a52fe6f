import { PluginConfigError } from '@plugin-config/client';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import type { FamilyRef, RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { readFamily, showsOtherErrors, type FamilyState } from './family-records.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { whileVisible } from './while-visible.ts';

/** Whether the page follows changes. */
export type Liveness = 'connecting' | 'live' | 'lost' | 'rejected';

const RETRY_MS = 3000;
const NO_RESPONSE = { type: null, status: null };

/** Returns the client for a family of a project. */
export function recordsOf({ projectId, family }: FamilyRef) {
  const project = service.project(projectId);
  return family === 'plugin_configs' ? project.pluginConfigs : project.pipelineTransformationConfigs;
}

/** The key of all queries of a family. */
export const familyKey = ({ projectId, family }: FamilyRef) => ['family', projectId, family] as const;
const listKey = (at: FamilyRef) => [...familyKey(at), 'list'] as const;

/** The key of all queries of deleted records, which are repeated when any record changes. */
export const deletedKey = (at: FamilyRef) => [...familyKey(at), 'deleted'] as const;

/** The key of all queries of last errors, which are repeated when a record shows a different error. */
export const errorsKey = (at: FamilyRef) => [...familyKey(at), 'errors'] as const;

/** The key of all queries of a record, which are repeated when the record changes. */
export const recordKey = (at: RecordRef) => [...familyKey(at), 'record', at.id] as const;

/** All records of a family, in order. `useLiveFamily` keeps them current. */
export function useFamily(at: FamilyRef) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: listKey(at),
    queryFn: async ({ signal }) => readFamily(recordsOf(at), knownFamily(queries, at), signal),
    staleTime: Infinity,
    structuralSharing: false,
  });
}

/** Returns the cached records. */
export function knownFamily(queries: QueryClient, at: FamilyRef): FamilyState | undefined {
  return queries.getQueryData<FamilyState>(listKey(at));
}

/** Reads changes without waiting for the stream. */
export async function readFamilyNow(queries: QueryClient, at: FamilyRef): Promise<FamilyState | undefined> {
  await queries.refetchQueries({ queryKey: listKey(at) });
  return knownFamily(queries, at);
}

/** Follows a family while the screen is shown, and repeats the queries that a change affects. */
export function useLiveFamily({ projectId, family }: FamilyRef): Liveness {
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  useEffect(
    () =>
      whileVisible(() => {
        setLiveness('connecting');
        const controller = new AbortController();
        void follow({ projectId, family }, queries, controller.signal, setLiveness);
        return () => controller.abort();
      }),
    [queries, projectId, family],
  );
  return liveness;
}

/** Follows until the signal, or until an error that retries cannot fix. */
async function follow(
  at: FamilyRef,
  queries: QueryClient,
  signal: AbortSignal,
  onLiveness: (liveness: Liveness) => void,
): Promise<void> {
  for (;;) {
    try {
      await followStream(at, queries, signal, onLiveness);
    } catch (error) {
      if (signal.aborted) return;
      const { type, status } = error instanceof PluginConfigError ? error : NO_RESPONSE;
      const isUnauthenticated = type === 'authentication_error';
      if (isUnauthenticated) await queries.invalidateQueries({ queryKey: SESSION_KEY });
      if (isUnauthenticated || status === 403 || status === 404) {
        onLiveness('rejected');
        return;
      }
      onLiveness('lost');
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (signal.aborted) return;
  }
}

async function followStream(
  at: FamilyRef,
  queries: QueryClient,
  signal: AbortSignal,
  onLiveness: (liveness: Liveness) => void,
): Promise<void> {
  const readList = oneAtATime(async () => {
    const earlier = knownFamily(queries, at);
    await queries.invalidateQueries({ queryKey: listKey(at) });
    if (!showsOtherErrors(earlier, knownFamily(queries, at))) return;
    await queries.invalidateQueries({ queryKey: errorsKey(at) });
  });
  const readDeleted = oneAtATime(async () => queries.invalidateQueries({ queryKey: deletedKey(at) }));
  const readEverything = (): void => {
    readList();
    void queries.invalidateQueries({ queryKey: familyKey(at) }, { cancelRefetch: false });
  };
  const events = recordsOf(at).stream({
    signal,
    onOpen: () => {
      onLiveness('live');
      readEverything();
    },
    onError: () => onLiveness('lost'),
  });
  for await (const { event, data } of events) {
    if (event === 'reset') {
      queries.removeQueries({ queryKey: listKey(at), type: 'inactive' });
      readEverything();
    } else {
      readList();
      if (event === 'record') {
        void queries.invalidateQueries({ queryKey: recordKey({ ...at, id: data.id }) });
        readDeleted();
      }
    }
  }
}
