import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv as readHttpEnv } from '../apps/http/src/env.ts';
import { readEnv as readWorkerEnv } from '../apps/worker/src/env.ts';
import { DEAD_REASONS } from '../packages/domain/src/index.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://user@host/database',
  SECRETS_KEYS: `key:${Buffer.alloc(32).toString('base64')}`,
};

test('docs/operations/plugin-logs.md explains exactly the reasons for dead letters', () => {
  const text = readFileSync(new URL('../docs/operations/plugin-logs.md', import.meta.url), 'utf8');
  const table = /\| Reason \| The message \|\n(?<rows>(?:\|.*\n)+)/.exec(text)?.groups?.['rows'] ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const reasons = cells.flatMap((cell) =>
    [...cell.matchAll(/`(?<reason>\w+)`/g)].map(([, reason]) => reason),
  );
  expect(new Set(reasons)).toEqual(new Set(DEAD_REASONS));
});

test('docs/operations/settings.md lists each setting of the apps', () => {
  const text = readFileSync(new URL('../docs/operations/settings.md', import.meta.url), 'utf8');
  const table = /\| Variable \| Default \| \|\n(?<rows>(?:\|.*\n)+)/.exec(text)?.groups?.['rows'] ?? '';
  const names = new Set(table.split('\n').flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []));
  const settings = { ...readHttpEnv(REQUIRED), ...readWorkerEnv(REQUIRED) };
  expect(Object.keys(settings).filter((name) => !names.has(name))).toEqual([]);
});

const METRIC = /(?:gauge|counter)\(\s*'(?<added>\w+)'|name: '(?<named>\w+)',\s+help:/g;

test('docs/operations/metrics.md lists exactly the metrics of the apps', () => {
  const root = join(import.meta.dirname, '../');
  const folders = '{apps/*,packages/server}/src/{observability,health,gate}/*.ts';
  const sources = globSync(folders, { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const served = sources.flatMap((path) =>
    [...readFileSync(`${root}${path}`, 'utf8').matchAll(METRIC)].flatMap(({ groups = {} }) =>
      Object.values<string | undefined>(groups).filter((name) => name !== undefined),
    ),
  );
  const text = readFileSync(`${root}docs/operations/metrics.md`, 'utf8');
  const table = /\| Name \| Labels \| \|\n(?<rows>(?:\|.*\n)+)/.exec(text)?.groups?.['rows'] ?? '';
  const listed = table
    .split('\n')
    .flatMap((row) => (row.split('|')[1] ?? '').match(/\w+_\w+\b(?!\*)/g) ?? []);
  expect(new Set(listed)).toEqual(new Set(served));
});
