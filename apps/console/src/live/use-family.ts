import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { FamilyRef, RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';
import { readFamily, type FamilyState } from './family-records.ts';

/** Returns the client for a family of a project. */
export function recordsOf({ projectId, family }: FamilyRef) {
  const project = service.project(projectId);
  return family === 'plugin_configs' ? project.pluginConfigs : project.pipelineTransformationConfigs;
}

/** The query key prefix of a family. */
export const familyKey = ({ projectId, family }: FamilyRef) => ['family', projectId, family] as const;
export const listKey = (at: FamilyRef) => [...familyKey(at), 'list'] as const;

/** The query key prefix of deleted, invalid, outdated and failing records, which are refetched when any record changes. */
export const selectionsKey = (at: FamilyRef) => [...familyKey(at), 'selections'] as const;

/** The query key prefix of a record, which is refetched when it changes. */
export const recordKey = (at: RecordRef) => [...familyKey(at), 'record', at.id] as const;

/** All records of a family, in order. `LiveNote` keeps them current; a page without one says how old they may be. */
export function useFamily(at: FamilyRef, staleTime = Infinity) {
  const queries = useQueryClient();
  return useRead(
    listKey(at),
    async (options) => readFamily(recordsOf(at), knownFamily(queries, at), options),
    { staleTime, structuralSharing: false },
  );
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
