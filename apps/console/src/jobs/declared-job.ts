import { recordKey } from '../live/use-family.ts';
import type { PluginInfo } from '../record/plugin-info.ts';
import type { RecordRef } from '../shell/addresses.ts';

/** A type of jobs that the runtimes of a plugin take. */
export type DeclaredJob = NonNullable<PluginInfo['jobs']>[number];

export const titleOf = ({ type, name }: Pick<DeclaredJob, 'type' | 'name'>): string => name ?? type;

/** The query key prefix of the jobs of a record. */
export const jobsKey = (at: RecordRef) => [...recordKey(at), 'jobs'];
