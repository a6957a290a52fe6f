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

/** The query key prefix of deleted records, which are refetched when any record changes. */
export const deletedKey = (at: FamilyRef) => [...familyKey(at), 'deleted'] as const;

/** The query key prefix of invalid and outdated records, which are refetched when any record changes. */
export const markedKey = (at: FamilyRef) => [...familyKey(at), 'marked'] as const;

/** The query key prefix of last errors, which are refetched when a record shows a different error. */
export const errorsKey = (at: FamilyRef) => [...familyKey(at), 'errors'] as const;

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
