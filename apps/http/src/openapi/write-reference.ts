import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsPage, docsStart } from './docs-page.ts';
import { openapiDocument } from './document.ts';

// `node write-reference.ts FOLDER` writes the page at `/docs` as files that need no service, for the site of the docs.

const [folder = 'reference'] = process.argv.slice(2);
const FILES = { style: 'swagger-ui.css', bundle: 'swagger-ui-bundle.js', icon: 'favicon-32x32.png' };
const [schema, start] = ['openapi.json', 'start.js'];

mkdirSync(folder, { recursive: true });
for (const file of Object.values(FILES))
  copyFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)), join(folder, file));
writeFileSync(join(folder, schema), JSON.stringify(openapiDocument({ publicUrl: null })));
writeFileSync(join(folder, start), docsStart(schema, { supportedSubmitMethods: [] }));
writeFileSync(join(folder, 'index.html'), docsPage({ ...FILES, schema, start }));
