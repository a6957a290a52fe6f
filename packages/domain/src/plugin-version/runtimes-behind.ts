import { DomainError } from '../kernel/domain-error.ts';
import type { FamilyRef } from '../project/family.ts';
import type { PluginRuntime } from '../runtime/runtime-instance.ts';

const NAMED_MAX = 10;

interface Moved {
  readonly family: FamilyRef;
  /** The schema version that a record of the family would get. */
  readonly schemaVersion: number;
}

/** Returns the names of the runtimes that serve a family and do not understand a schema version of the plugin, sorted. */
export function runtimesBehind(
  runtimes: readonly PluginRuntime[],
  { family: { projectId, family }, schemaVersion }: Moved,
): readonly string[] {
  const behind = runtimes.filter(
    (runtime) =>
      runtime.family === family &&
      (runtime.projectIds.length === 0 || runtime.projectIds.includes(projectId)) &&
      projectId % runtime.shard.of === runtime.shard.index &&
      !runtime.schemas.includes(schemaVersion),
  );
  return [...new Set(behind.map(({ instance }) => instance))].toSorted();
}

/** For an upgrade that runtimes would not understand. */
export function runtimeBehind(names: readonly string[], schemaVersion: number): DomainError {
  const named = names.slice(0, NAMED_MAX).join(', ');
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  const message = `These runtimes do not understand schema version ${schemaVersion}: ${named}${more}. Update them first, or force the upgrade.`;
  return new DomainError('runtime_behind', message);
}
