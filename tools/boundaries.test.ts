import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import boundaries from './boundaries.config.ts';
import { plant, type Sources } from './miniature.ts';

const REPOSITORY = dirname(import.meta.dirname);

/** A violation of each rule: its file, its source text, and the file that the report names, if it is another one. */
const VIOLATIONS: readonly (readonly [rule: string, path: string, source: string, named?: string])[] = [
  ['domain-imports-nothing', 'packages/domain/src/clock.ts', `import 'node:crypto';`],
  ['domain-imports-nothing', 'packages/domain/src/clock.ts', `import type { z } from 'zod';`],
  ['domain-imports-nothing', 'packages/domain/src/clock.ts', `import '@plugin-config/contract';`],
  ['contract-imports-zod-alone', 'packages/contract/src/index.ts', `import '@plugin-config/domain';`],
  ['contract-imports-zod-alone', 'packages/contract/src/index.ts', `import 'node:buffer';`],
  ['client-imports-types-alone', 'packages/client/src/index.ts', `import 'node:util';`],
  ['client-imports-types-alone', 'packages/client/src/index.ts', `import type { z } from 'zod';`],
  ['client-imports-types-alone', 'packages/client/src/index.ts', `import '@plugin-config/domain';`],
  ['client-runs-without-the-contract', 'packages/client/src/index.ts', `import '@plugin-config/contract';`],
  [
    'persistence-imports-domain-and-database',
    'packages/persistence/src/index.ts',
    `import '@plugin-config/contract';`,
  ],
  ['persistence-imports-domain-and-database', 'packages/persistence/src/index.ts', `import 'fastify';`],
  [
    'clickhouse-imports-domain-and-client',
    'packages/clickhouse/src/index.ts',
    `import '@plugin-config/persistence';`,
  ],
  ['clickhouse-imports-domain-and-client', 'packages/clickhouse/src/index.ts', `import 'pg';`],
  ['clickhouse-client-stays-in-its-package', 'apps/http/src/app.ts', `import '@clickhouse/client';`],
  [
    'message-format-imports-domain-alone',
    'packages/message-format/src/index.ts',
    `import '@plugin-config/contract';`,
  ],
  ['message-format-imports-domain-alone', 'packages/message-format/src/index.ts', `import 'node:util';`],
  [
    'embedded-postgres-stands-alone',
    'packages/embedded-postgres/src/index.ts',
    `import '@plugin-config/domain';`,
  ],
  ['tracing-stands-alone', 'packages/tracing/src/index.ts', `import '@plugin-config/domain';`],
  ['tracing-stands-alone', 'packages/tracing/src/index.ts', `import 'fastify';`],
  ['opentelemetry-stays-in-tracing', 'apps/http/src/app.ts', `import '@opentelemetry/api';`],
  [
    'opentelemetry-stays-in-tracing',
    'packages/persistence/src/index.ts',
    `import type { Span } from '@opentelemetry/api';`,
  ],
  ['conformance-imports-ajv-alone', 'packages/conformance/src/index.ts', `import '@plugin-config/contract';`],
  ['conformance-imports-ajv-alone', 'packages/conformance/src/index.ts', `import 'zod';`],
  [
    'testing-imports-domain-and-message-format',
    'packages/testing/src/index.ts',
    `import '@plugin-config/persistence';`,
  ],
  ['testing-imports-domain-and-message-format', 'packages/testing/src/index.ts', `import 'node:fs';`],
  ['server-is-for-apps-alone', 'packages/testing/src/index.ts', `import '@plugin-config/server';`],
  ['packages-never-import-apps', 'packages/persistence/src/index.ts', `import '@plugin-config/worker';`],
  ['apps-never-import-each-other', 'apps/http/src/app.ts', `import '@plugin-config/worker';`],
  ['apps-never-import-each-other', 'apps/http/src/app.ts', `await import('../../worker/src/main.ts');`],
  ['no-way-around-exports', 'apps/http/src/app.ts', `export * from '../../../packages/domain/src/clock.ts';`],
  ['test-code-stays-in-tests', 'apps/http/src/app.ts', `import { test } from 'vitest';`],
  ['test-code-stays-in-tests', 'apps/http/src/app.ts', `import '@plugin-config/testing';`],
  ['test-code-stays-in-tests', 'apps/http/src/app.ts', `import '@plugin-config/persistence/testing';`],
  ['test-code-stays-in-tests', 'packages/domain/src/index.ts', `import './clock.test.ts';`],
  ['optional-programs-are-named', 'apps/http/src/app.test.ts', `import '../../../tools/programs.ts';`],
  ['wiring-stays-in-containers', 'apps/http/src/app.ts', `import { container } from 'tsyringe';`],
  ['wiring-stays-in-containers', 'packages/persistence/src/index.ts', `import 'reflect-metadata';`],
  ['zod-stays-at-the-edges', 'apps/http/src/app.ts', `import * as z from 'zod';`],
  ['zod-stays-at-the-edges', 'packages/persistence/src/index.ts', `import * as z from 'zod';`],
  ['database-stays-in-persistence', 'apps/http/src/app.ts', `import type { Pool } from 'pg';`],
  ['database-stays-in-persistence', 'apps/worker/src/main.ts', `import { MikroORM } from '@mikro-orm/core';`],
  ['fastify-stays-in-apps', 'packages/contract/src/index.ts', `import 'fastify';`],
  ['no-unresolved-imports', 'apps/http/src/app.ts', `import './missing.ts';`],
  ['no-unresolved-imports', 'apps/http/src/app.ts', `import '@plugin-config/domain/src/clock.ts';`],
  ['no-undeclared-dependencies', 'apps/http/src/app.ts', `import 'pino';`],
  ['no-shipped-dev-dependencies', 'apps/http/src/app.ts', `import 'fast-check';`],
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

test('allowed imports break no rule', async () => {
  expect(await broken({})).toEqual([]);
});

test.for(VIOLATIONS)('%s fires at %s: %s', async ([rule, path, source, named = path]) => {
  expect(await broken({ [path]: source })).toContain(`${rule}: ${named}`);
});

test('every rule has a violation that proves it', () => {
  const proven = new Set(VIOLATIONS.map(([rule]) => rule));
  expect(proven).toEqual(new Set(boundaries.forbidden.map((rule) => rule.name)));
});

test('an import is seen beside a `using` declaration', async () => {
  const source = `await using clock = await import('node:timers');`;
  expect(await broken({ 'packages/domain/src/clock.ts': source })).toContain(
    'domain-imports-nothing: packages/domain/src/clock.ts',
  );
});

test('the command of the gate fails on a violation and names it', async () => {
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

test('every source of this repository is read, and every import in it', async () => {
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
