import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from './package.json' with { type: 'json' };
import { operations } from './src/calls/operations.ts';
import { writeMethods } from './write-methods.ts';
import { typeWriter } from './write-types.ts';

// `node build.ts FOLDER` writes the package; `npm publish FOLDER` publishes it.

const HERE = import.meta.dirname;
const folder = resolve(process.argv[2] ?? 'dist');

const { name, version, description, license } = manifest;
const PUBLISHED = {
  name,
  version,
  description,
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: {
    '.': { types: './lib/index.d.ts', default: './lib/index.js' },
    './embed': { types: './lib/embed/index.d.ts', default: './lib/embed/index.js' },
    './runtime': { types: './lib/runtime/index.d.ts', default: './lib/runtime/index.js' },
  },
  bin: { 'runtime-check': './lib/runtime/check/main.js' },
  files: ['lib'],
};

mkdirSync(folder, { recursive: true });
const output = ['--outDir', join(folder, 'lib')];
for (const project of ['tsconfig.build.json', 'tsconfig.build-runtime.json'])
  execFileSync(join(HERE, 'node_modules/.bin/tsc'), ['-p', join(HERE, project), ...output], {
    stdio: 'inherit',
  });
// The compiler drops declarations marked `@internal`. It rewrites the imports in code, but not in type declarations.
for (const path of globSync(join(folder, 'lib/**/*.d.ts'))) {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, `$1.js'`));
}
// These modules derive types or data from the contract, which isn't published.
const types = typeWriter(readFileSync(join(HERE, 'src/wire.ts'), 'utf8'));
writeFileSync(join(folder, 'lib/wire.d.ts'), types.wire());
writeFileSync(join(folder, 'lib/calls/methods.d.ts'), writeMethods(types));
const data = `export const operations = ${JSON.stringify(operations)};\n`;
writeFileSync(join(folder, 'lib/calls/operations.js'), data);
rmSync(join(folder, 'lib/calls/operations.d.ts'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(PUBLISHED, null, 2)}\n`);
copyFileSync(join(HERE, 'README.md'), join(folder, 'README.md'));
copyFileSync(join(HERE, '../../LICENSE'), join(folder, 'LICENSE'));
