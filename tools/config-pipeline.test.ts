import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { operatorProgram } from '../apps/cli/src/cli.ts';

const REPOSITORY = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

interface Job {
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

/** Returns the calls of "config" with their flags. */
function callsIn(
  lines: readonly string[],
): readonly { readonly name: string; readonly flags: readonly string[] }[] {
  return lines.flatMap((line) =>
    [...line.matchAll(/\bconfig (?<name>[a-z]+)(?<rest>[^;|#]*)/g)].map(({ groups = {} }) => ({
      name: groups['name'] ?? '',
      flags: (groups['rest'] ?? '').match(/(?<= )--?[a-z][\w-]*/g) ?? [],
    })),
  );
}

const config = operatorProgram({ env: {}, exit: () => undefined }).commands.find(
  (command) => command.name() === 'config',
);
const known = new Map(
  config?.commands.map((command) => {
    const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
    return [command.name(), flags] as const;
  }),
);

test.for([
  ['docs/config-pipeline.yml', /^ +- run: (?<line>.*)$/gm, 5],
  ['docs/declarative.md', /^\$ (?<line>.*)$/gm, 20],
] as const)('each command in %s exists and has these flags', ([path, form, atLeast]) => {
  const lines = [...read(path).matchAll(form)].map(({ groups }) => groups?.['line'] ?? '');
  const calls = callsIn(lines);
  expect(calls.length).toBeGreaterThanOrEqual(atLeast);
  const wrong = calls.filter(({ name, flags }) => {
    const own = known.get(name);
    return own === undefined || flags.some((flag) => !own.has(flag));
  });
  expect(wrong).toEqual([]);
});

test('the pipeline plans change requests, applies merges, and detects drift', () => {
  const { jobs } = parse(read('docs/config-pipeline.yml')) as { jobs: Readonly<Record<string, Job>> };
  const called = Object.entries(jobs).map(([job, { steps }]) => [
    job,
    callsIn(steps.flatMap(({ run = '' }) => run)).map(({ name }) => name),
  ]);
  expect(Object.fromEntries(called)).toEqual({
    plan: ['validate', 'plan'],
    apply: ['plan', 'apply'],
    drift: ['drift'],
  });
});

test('docs/declarative.md describes each command', () => {
  const text = read('docs/declarative.md');
  expect(
    [...known.keys()].filter((name) => !text.includes(`config ${name}`) && !text.includes(`\`${name}\``)),
  ).toEqual([]);
});
