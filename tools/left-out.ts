import { globSync } from 'node:fs';
import { filesNeeding, type OptionalProgram } from './programs.ts';

/** Lists the test files that need these programs, and how to install the programs. */
export function leftOut(root: string, missing: readonly OptionalProgram[]): readonly string[] {
  const needs = missing.flatMap((program) =>
    globSync(`{packages,apps}/*/src/${filesNeeding(program)}`, { cwd: root }).map((file) => ({
      file,
      program,
    })),
  );
  return [...Map.groupBy(needs, ({ file }) => file)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, each]) => `${file}: needs ${each.map(({ program }) => named(program)).join(' and ')}`);
}

function named({ name, get }: OptionalProgram): string {
  return `${name} (${get})`;
}
