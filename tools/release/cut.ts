import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cutChangelog } from './changelog.ts';

// `npm run release -- 1.2.3` cuts a release: the changelog, the versions, and the OpenAPI document that the breaking-change check
// compares with.

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: npm run release -- 1.2.3');
  process.exit(1);
}

try {
  change('CHANGELOG.md', (text) => cutChangelog(text, version, new Date().toISOString().slice(0, 10)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
for (const path of ['package.json', 'packages/client/package.json'])
  change(path, (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
execFileSync('node', ['apps/http/src/openapi/release-document.ts'], { stdio: 'inherit' });

console.log(`Commit the changes as "release: cut ${version}". Pushing the tag v${version} publishes it.`);

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
