import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Source texts by path. */
export type Sources = Readonly<Record<string, string>>;

const REPOSITORY = dirname(import.meta.dirname);
const SHIPPED = [
  'zod',
  'pg',
  '@mikro-orm/core',
  '@opentelemetry/api',
  'fastify',
  'tsyringe',
  'reflect-metadata',
  'ajv',
];
const DEVELOPMENT = ['vitest', 'fast-check'];
const UNDECLARED = ['pino'];

/** A miniature of this repository, with every package and every kind of allowed import. */
const ALLOWED: Sources = {
  'tools/programs.ts': `import 'node:fs';`,
  'packages/domain/src/index.ts': `export * from './clock.ts'; import './project/family.ts'; import '@plugin-config/flow';`,
  'packages/domain/src/clock.ts': `export type Clock = () => Date;`,
  'packages/domain/src/record/record-ref.ts': `export type RecordRef = number;`,
  'packages/domain/src/project/family.ts': `import '../record/record-ref.ts';`,
  'packages/domain/src/clock.test.ts': `import 'vitest'; import 'fast-check'; import './clock.ts';`,
  'packages/domain/src/vocabulary/vocabulary.ts': `export const FAMILIES = [];`,
  'packages/contract/src/index.ts': `import 'zod'; import '@plugin-config/domain/vocabulary';`,
  'packages/client/src/index.ts': `import type {} from '@plugin-config/contract';`,
  'packages/client/src/runtime/index.ts': `import 'node:os'; import '../index.ts';`,
  'packages/conformance/src/index.ts': `import 'node:util'; import 'ajv';`,
  'packages/embedded-postgres/src/index.ts': `import 'node:fs';`,
  'packages/persistence/src/index.ts': `import 'node:fs'; import 'pg'; import '@mikro-orm/core'; import '@plugin-config/domain'; import '@plugin-config/flow/node'; import '@plugin-config/tracing'; import './schema/rows.ts';`,
  'packages/persistence/src/postgres/statement.ts': `import 'pg';`,
  'packages/persistence/src/schema/rows.ts': `import '../postgres/statement.ts';`,
  'packages/persistence/src/testing/index.ts': `import 'vitest';`,
  'packages/flow/src/index.ts': `export const one = 1;`,
  'packages/flow/src/node/index.ts': `import 'node:timers'; import '../index.ts';`,
  'packages/tracing/src/index.ts': `import 'node:util'; import '@opentelemetry/api';`,
  'packages/testing/src/index.ts': `import 'vitest'; import '@plugin-config/domain';`,
  'packages/server/src/index.ts': `import 'fastify'; import '@plugin-config/domain'; import '@plugin-config/contract';`,
  'apps/http/src/main.ts': `import 'reflect-metadata'; import './container.ts'; import './env.ts';`,
  'apps/http/src/container.ts': `import 'tsyringe'; import '@plugin-config/persistence'; import './app.ts';`,
  'apps/http/src/env.ts': `import 'zod';`,
  'apps/http/src/app.ts': `import 'fastify'; import '@plugin-config/contract';`,
  'apps/http/src/app.test.ts': `import 'vitest'; import '@plugin-config/testing'; import '@plugin-config/persistence/testing';`,
  'apps/http/src/docs.browser.test.ts': `import '../../../tools/programs.ts';`,
  'apps/worker/src/main.ts': `import '@plugin-config/domain'; import '@plugin-config/server';`,
};

/** Writes the miniature to disk, together with these sources. */
export function plant(sources: Sources = {}): { readonly root: string } & Disposable {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'boundaries-')));
  const files = { ...ALLOWED, ...sources };
  for (const [path, source] of Object.entries(files)) write(join(root, path), `${source}\nexport {};\n`);
  const packages = Object.keys(files).filter((path) => /^(packages|apps)\//.test(path));
  for (const folder of new Set(packages.map((path) => path.split('/').slice(0, 2).join('/')))) {
    write(join(root, folder, 'package.json'), JSON.stringify(manifest(folder)));
    link(join(root, folder), join(root, 'node_modules', name(folder)));
  }
  for (const library of [...SHIPPED, ...DEVELOPMENT, ...UNDECLARED]) {
    link(installed(library), join(root, 'node_modules', library));
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

const name = (folder: string): string => folder.replace(/^[^/]+/, '@plugin-config');

const versions = (libraries: readonly string[]): object =>
  Object.fromEntries(libraries.map((library) => [library, '*']));

const manifest = (folder: string): object => ({
  name: name(folder),
  type: 'module',
  exports: {
    '.': folder.startsWith('apps/') ? './src/main.ts' : './src/index.ts',
    './node': './src/node/index.ts',
    './vocabulary': './src/vocabulary/vocabulary.ts',
    './testing': './src/testing/index.ts',
  },
  dependencies: versions(SHIPPED),
  devDependencies: versions(DEVELOPMENT),
});

function installed(library: string): string {
  const folders = globSync(['.', 'packages/*', 'apps/*'], { cwd: REPOSITORY });
  const paths = folders.map((folder) => join(REPOSITORY, folder, 'node_modules', library));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${library} is not installed`);
  return realpathSync(path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
