import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorProgram } from '../apps/cli/src/cli.ts';
import { endpoints, type Endpoint } from '../packages/contract/src/index.ts';

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

/** The names that an operation takes: ids in the path, parameters, and fields of the body. */
const namesOf = ({ path, query, body }: Endpoint): readonly string[] => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
  ...[query, body?.schema].flatMap((schema) => Object.keys(shapeOf(schema))),
];

/** The fields of a schema, before it renames them. */
function shapeOf(schema: object = {}): object {
  const { in: input, shape = {} } = schema as { readonly in?: object; readonly shape?: object };
  return input === undefined ? shape : shapeOf(input);
}

test.for([
  ['docs/alerts.md', 5],
  ['docs/webhooks.md', 5],
  ['docs/versions.md', 2],
] as const)('each operation in %s exists and takes these names', ([path, atLeast]) => {
  const calls = [...read(path).matchAll(/\bapi (?<id>[a-z]+_\w+)(?<rest>[^;|#`\n]*)/g)];
  expect(calls.length).toBeGreaterThanOrEqual(atLeast);
  const wrong = calls.filter(({ groups = {} }) => {
    const called = Object.values<Endpoint>(endpoints).find(({ operationId }) => operationId === groups['id']);
    const names = (groups['rest'] ?? '').match(/(?<= )\w+(?==)/g) ?? [];
    return called === undefined || names.some((name) => !namesOf(called).includes(name));
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});
