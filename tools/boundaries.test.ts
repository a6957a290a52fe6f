import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { beforeAll, expect, test } from 'vitest';
import boundaries from './boundaries.config.ts';
import { plant, type Sources } from './miniature.ts';

const REPOSITORY = dirname(import.meta.dirname);

/** Violations of each rule: the file, its source text, and the path in the report if it is not the file's. */
const VIOLATIONS: readonly (readonly [rule: string, path: string, source: string, named?: string])[] = [
  ['console-imports-the-client', 'apps/console/src/imports-contract.ts', `import '@plugin-config/contract';`],
  ['console-imports-the-client', 'apps/console/src/imports-domain.ts', `import '@plugin-config/domain';`],
  ['domain-imports-nothing', 'packages/domain/src/imports-node-crypto.ts', `import 'node:crypto';`],
  ['domain-imports-nothing', 'packages/domain/src/imports-zod.ts', `import type { z } from 'zod';`],
  ['domain-imports-nothing', 'packages/domain/src/imports-contract.ts', `import '@plugin-config/contract';`],
  [
    'vocabulary-imports-nothing',
    'packages/domain/src/vocabulary/imports-family.ts',
    `import '../project/family.ts';`,
  ],
  ['contract-imports-only-zod', 'packages/contract/src/imports-domain.ts', `import '@plugin-config/domain';`],
  ['contract-imports-only-zod', 'packages/contract/src/imports-node-buffer.ts', `import 'node:buffer';`],
  ['client-imports-only-types', 'packages/client/src/imports-node-util.ts', `import 'node:util';`],
  ['client-imports-only-types', 'packages/client/src/imports-runtime.ts', `import './runtime/index.ts';`],
  ['client-runtime-imports-only-node', 'packages/client/src/runtime/imports-zod.ts', `import 'zod';`],
  ['client-imports-only-types', 'packages/client/src/imports-zod.ts', `import type { z } from 'zod';`],
  ['client-imports-only-types', 'packages/client/src/imports-domain.ts', `import '@plugin-config/domain';`],
  [
    'client-runs-without-the-contract',
    'packages/client/src/imports-contract.ts',
    `import '@plugin-config/contract';`,
  ],
  [
    'persistence-imports-domain-and-database',
    'packages/persistence/src/imports-contract.ts',
    `import '@plugin-config/contract';`,
  ],
  [
    'persistence-imports-domain-and-database',
    'packages/persistence/src/imports-fastify.ts',
    `import 'fastify';`,
  ],
  [
    'clickhouse-imports-domain-and-client',
    'packages/clickhouse/src/imports-persistence.ts',
    `import '@plugin-config/persistence';`,
  ],
  ['clickhouse-imports-domain-and-client', 'packages/clickhouse/src/imports-pg.ts', `import 'pg';`],
  [
    'clickhouse-client-stays-in-its-package',
    'apps/http/src/imports-clickhouse-client.ts',
    `import '@clickhouse/client';`,
  ],
  [
    'embedded-postgres-imports-nothing',
    'packages/embedded-postgres/src/imports-domain.ts',
    `import '@plugin-config/domain';`,
  ],
  [
    'tracing-imports-only-opentelemetry',
    'packages/tracing/src/imports-domain.ts',
    `import '@plugin-config/domain';`,
  ],
  ['tracing-imports-only-opentelemetry', 'packages/tracing/src/imports-fastify.ts', `import 'fastify';`],
  ['flow-imports-nothing', 'packages/flow/src/imports-domain.ts', `import '@plugin-config/domain';`],
  [
    'flow-on-node-imports-only-node',
    'packages/flow/src/node/imports-tracing.ts',
    `import '@plugin-config/tracing';`,
  ],
  ['flow-imports-nothing', 'packages/flow/src/imports-node-timers.ts', `import 'node:timers';`],
  ['flow-imports-nothing', 'packages/flow/src/imports-node.ts', `import './node/index.ts';`],
  [
    'domain-imports-nothing',
    'packages/domain/src/imports-flow-on-node.ts',
    `import '@plugin-config/flow/node';`,
  ],
  [
    'opentelemetry-stays-in-tracing',
    'apps/http/src/imports-opentelemetry-api.ts',
    `import '@opentelemetry/api';`,
  ],
  [
    'opentelemetry-stays-in-tracing',
    'packages/persistence/src/imports-opentelemetry-api.ts',
    `import type { Span } from '@opentelemetry/api';`,
  ],
  [
    'conformance-imports-only-ajv',
    'packages/conformance/src/imports-contract.ts',
    `import '@plugin-config/contract';`,
  ],
  ['conformance-imports-only-ajv', 'packages/conformance/src/imports-zod.ts', `import 'zod';`],
  [
    'testing-imports-domain-and-flow',
    'packages/testing/src/imports-persistence.ts',
    `import '@plugin-config/persistence';`,
  ],
  ['testing-imports-domain-and-flow', 'packages/testing/src/imports-node-fs.ts', `import 'node:fs';`],
  ['only-apps-import-server', 'packages/testing/src/imports-server.ts', `import '@plugin-config/server';`],
  [
    'packages-never-import-apps',
    'packages/persistence/src/imports-worker.ts',
    `import '@plugin-config/worker';`,
  ],
  ['apps-never-import-each-other', 'apps/http/src/imports-worker.ts', `import '@plugin-config/worker';`],
  [
    'apps-never-import-each-other',
    'apps/http/src/imports-worker-src-main.ts',
    `await import('../../worker/src/main.ts');`,
  ],
  [
    'no-way-around-exports',
    'apps/http/src/imports-packages-domain-src-clock.ts',
    `export * from '../../../packages/domain/src/clock.ts';`,
  ],
  ['test-code-stays-in-tests', 'apps/http/src/imports-vitest.ts', `import { test } from 'vitest';`],
  ['test-code-stays-in-tests', 'apps/http/src/imports-testing.ts', `import '@plugin-config/testing';`],
  [
    'test-code-stays-in-tests',
    'apps/http/src/imports-persistence-testing.ts',
    `import '@plugin-config/persistence/testing';`,
  ],
  ['test-code-stays-in-tests', 'packages/domain/src/imports-clock-test.ts', `import './clock.test.ts';`],
  [
    'optional-programs-are-named',
    'apps/http/src/imports-tools-programs.test.ts',
    `import '../../../tools/programs.ts';`,
  ],
  [
    'wiring-stays-in-containers',
    'apps/http/src/imports-tsyringe.ts',
    `import { container } from 'tsyringe';`,
  ],
  [
    'wiring-stays-in-containers',
    'packages/persistence/src/imports-reflect-metadata.ts',
    `import 'reflect-metadata';`,
  ],
  ['zod-stays-at-the-edges', 'apps/http/src/imports-zod.ts', `import * as z from 'zod';`],
  ['zod-stays-at-the-edges', 'packages/persistence/src/imports-zod.ts', `import * as z from 'zod';`],
  ['database-stays-in-persistence', 'apps/http/src/imports-pg.ts', `import type { Pool } from 'pg';`],
  [
    'database-stays-in-persistence',
    'apps/worker/src/imports-mikro-orm-core.ts',
    `import { MikroORM } from '@mikro-orm/core';`,
  ],
  ['fastify-stays-in-apps', 'packages/contract/src/imports-fastify.ts', `import 'fastify';`],
  ['no-unresolved-imports', 'apps/http/src/imports-missing.ts', `import './missing.ts';`],
  [
    'no-unresolved-imports',
    'apps/http/src/imports-domain-src-clock.ts',
    `import '@plugin-config/domain/src/clock.ts';`,
  ],
  ['no-undeclared-dependencies', 'apps/http/src/imports-pino.ts', `import 'pino';`],
  ['no-shipped-dev-dependencies', 'apps/http/src/imports-fast-check.ts', `import 'fast-check';`],
  ['no-cycles', 'packages/domain/src/clock.ts', `import type {} from './index.ts';`],
  [
    'no-folder-cycles',
    'packages/domain/src/record/record.ts',
    `import '../project/family.ts';`,
    'packages/domain/src/record',
  ],
  [
    'no-folder-cycles',
    'packages/persistence/src/postgres/database.ts',
    `import '../schema/rows.ts';`,
    'packages/persistence/src/postgres',
  ],
  ['no-orphans', 'packages/domain/src/alone.ts', ''],
];

const USING = {
  'packages/domain/src/imports-beside-using.ts': `await using clock = await import('node:timers');`,
};

/** One run of the checker finds all violations, because each is in a separate file. */
let found: readonly string[];

beforeAll(async () => {
  found = await broken({
    ...USING,
    ...Object.fromEntries(VIOLATIONS.map(([, path, source]) => [path, source])),
  });
});

test('allowed imports break no rule', async () => {
  expect(await broken({})).toEqual([]);
});

test.for(VIOLATIONS)('%s fires at %s: %s', ([rule, path, , named = path]) => {
  expect(found).toContain(`${rule}: ${named}`);
});

test('no two violations are in one file', () => {
  const paths = VIOLATIONS.map(([, path]) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('every rule has a violation that proves it', () => {
  const proven = new Set(VIOLATIONS.map(([rule]) => rule));
  expect(proven).toEqual(new Set(boundaries.forbidden.map((rule) => rule.name)));
});

test('finds imports in files with a `using` declaration', () => {
  expect(found).toContain('domain-imports-nothing: packages/domain/src/imports-beside-using.ts');
});

test('the command of npm test fails on a violation and names it', async () => {
  using miniature = plant({ 'packages/domain/src/clock.ts': `import 'node:fs';` });
  const config = join(import.meta.dirname, 'boundaries.config.ts');
  const depcruise = join(REPOSITORY, 'node_modules/.bin/depcruise');
  const run = promisify(execFile)(depcruise, ['--config', config, 'packages', 'apps'], {
    cwd: miniature.root,
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('domain-imports-nothing') as unknown,
  });
});

test('reads every source file of the repository, and every import', { tags: ['long'] }, async () => {
  const { modules } = await read(REPOSITORY, ['packages', 'apps', 'tools']);
  const imports = new Map(modules.map((module) => [module.source, module.dependencies.length]));
  const sources = globSync('{packages,apps}/*/src/**/*.ts', { cwd: REPOSITORY });
  expect(sources.length).toBeGreaterThan(0);
  const unread = sources.filter((path) => (imports.get(path) ?? -1) < (hasImports(path) ? 1 : 0));
  expect(unread).toEqual([]);
});

async function broken(sources: Sources): Promise<readonly string[]> {
  using miniature = plant(sources);
  const { summary } = await read(miniature.root, ['packages', 'apps']);
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

async function read(root: string, folders: string[]): Promise<ICruiseResult> {
  const { options, forbidden } = boundaries;
  const ruleSet = { forbidden };
  const { output } = await cruise(folders, { ...options, baseDir: root, ruleSet, validate: true });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

const hasImports = (path: string): boolean =>
  /^(import|export) .*from '/m.test(readFileSync(join(REPOSITORY, path), 'utf8'));
