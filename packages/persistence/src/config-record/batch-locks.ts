import type { FamilyRef } from '@plugin-config/domain';

/** What a batch of writes touches, as the functions that store it want to be told: plugins, projects, families. */
export function locksOf(
  writes: readonly (FamilyRef & { readonly plugin: number })[],
): readonly [readonly number[], readonly number[], readonly string[]] {
  const families = [...new Map(writes.map((ref) => [`${ref.projectId}/${ref.family}`, ref])).values()];
  return [
    [...new Set(writes.map(({ plugin }) => plugin))],
    families.map(({ projectId }) => projectId),
    families.map(({ family }) => family),
  ];
}
