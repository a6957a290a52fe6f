import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import service from '../../package.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

// `node build.ts FOLDER` writes the package, with everything that it needs in a few files; `npm pack FOLDER` packs it.

const HERE = import.meta.dirname;
const SCHEMA = join(HERE, '../../packages/persistence/src/schema');
const folder = resolve(process.argv[2] ?? 'dist');
const lib = join(folder, 'lib');

rmSync(folder, { recursive: true, force: true });
mkdirSync(lib, { recursive: true });
const bundle = await rolldown({
  input: { 'plugin-config': join(HERE, 'src/packaged.ts') },
  platform: 'node',
  transform: { target: 'node20' },
});
await bundle.write({ dir: lib });
await bundle.close();
chmodSync(join(lib, 'plugin-config.js'), 0o755);
// They are read next to the code.
for (const sql of ['migrations', 'functions']) cpSync(join(SCHEMA, sql), join(lib, sql), { recursive: true });
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: manifest.name,
      version: service.version,
      description: 'The command of the plugin configuration service: configuration, imports, keys and more.',
      license: service.license,
      type: 'module',
      engines: service.engines,
      bin: { 'plugin-config': './lib/plugin-config.js' },
      files: ['lib'],
    },
    null,
    2,
  )}\n`,
);
copyFileSync(join(HERE, 'README.md'), join(folder, 'README.md'));
copyFileSync(join(HERE, '../../LICENSE'), join(folder, 'LICENSE'));
