import { globSync } from 'node:fs';
import { filesNeeding, type OptionalProgram } from './programs.ts';

/** Lists the test files that cannot run without these programs, with how to install the programs. */
export function leftOut(root: string, missing: readonly OptionalProgram[]): readonly string[] {
  return missing.flatMap((program) =>
    globSync(`{packages,apps}/*/src/${filesNeeding(program)}`, { cwd: root })
      .toSorted()
      .map((file) => `${file}: it needs ${program.name} (${program.get})`),
  );
}
