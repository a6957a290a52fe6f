import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FLAG = /--(?:max|no)-[a-z-]+(?:=\d+)?/g;

function flagsIn(path: string, pattern: RegExp): readonly string[] | null {
  return (pattern.exec(readFileSync(join(ROOT, path), 'utf8'))?.[0] ?? '').match(FLAG);
}

test('the image, the benchmark and the end-to-end tests use the Node flags of npm start', () => {
  const flags = flagsIn('apps/cli/src/start/app.ts', /NODE_FLAGS = \[[^\]]*/);
  expect(flags).not.toBe(null);
  expect(flagsIn('apps/bench/src/app-process.ts', /NODE_FLAGS = \[[^\]]*/)).toEqual(flags);
  expect(flagsIn('packages/server/src/testing/node-flags.ts', /NODE_FLAGS = \[[^\]]*/)).toEqual(flags);
  expect(flagsIn('Dockerfile', /^ENTRYPOINT.*/m)).toEqual(flags);
});
