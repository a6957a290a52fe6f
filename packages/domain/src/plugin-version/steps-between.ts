import type { MigrationStep } from './migration-step.ts';
import type { VersionContent } from './plugin-version.ts';

/** Returns the steps from a schema version to a later one; null if a migration is missing. */
export function stepsBetween(
  versions: readonly Pick<VersionContent, 'migrations'>[],
  from: number,
  to: number,
): readonly MigrationStep[] | null {
  const migrations = new Map(
    versions.flatMap((version) => version.migrations.map((each) => [each.from, each])),
  );
  const steps: MigrationStep[] = [];
  for (let at = from; at < to; at++) {
    const migration = migrations.get(at);
    if (migration === undefined) return null;
    steps.push(...migration.steps);
  }
  return from > to ? null : steps;
}
