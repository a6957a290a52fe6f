import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorProgram } from '../apps/cli/src/cli.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const { commands } = operatorProgram({ env: {}, exit: () => undefined });

test('docs/operations/cli.md lists exactly the subcommands of each command', () => {
  const table = /\| Command \| Subcommands \|\n\|---\|---\|\n(?<rows>(?:\|.*\n)+)/.exec(
    read('docs/operations/cli.md'),
  );
  const rows = (table?.groups?.['rows'] ?? '').trim().split('\n');
  const listed = rows.map((row) => {
    const [names = ''] = row.split(':');
    return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  });
  const existing = commands.map((command) => [command.name(), ...command.commands.map((one) => one.name())]);
  expect(listed).toEqual(existing.filter(([name]) => name !== 'start'));
});

test.for([
  ['docs/alerts.md', 5],
  ['docs/webhooks.md', 5],
] as const)('each command in %s exists and has these flags', ([path, atLeast]) => {
  const calls = [...read(path).matchAll(/\bcli (?<group>\w+) (?<name>\w+)(?<rest>[^;|#`\n]*)/g)];
  expect(calls.length).toBeGreaterThanOrEqual(atLeast);
  const wrong = calls.filter(({ groups = {} }) => {
    const group = commands.find((command) => command.name() === groups['group']);
    const command = group?.commands.find((one) => one.name() === groups['name']);
    const flags = (groups['rest'] ?? '').match(/(?<= )--[a-z][\w-]*/g) ?? [];
    return command === undefined || flags.some((flag) => !command.options.some(({ long }) => long === flag));
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});
