import { globSync } from 'node:fs';
import { filesNeeding, type OptionalProgram } from './programs.ts';

/** The test files that do not run without these programs, each with what it needs and how to get that. */
export function leftOut(root: string, missing: readonly OptionalProgram[]): readonly string[] {
  return missing.flatMap((program) =>
    globSync(`{packages,apps}/*/src/${filesNeeding(program)}`, { cwd: root })
      .toSorted()
      .map((file) => `${file}: it needs ${program.name} (${program.get})`),
  );
}
