import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('the reference of the site has every file that its page loads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [join(import.meta.dirname, 'write-reference.ts'), folder]);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const linked = [...page.matchAll(/(?:href|src)="(?<file>[^"]+)"/g)].map(({ groups }) => groups?.['file']);
  expect(new Set(readdirSync(folder))).toEqual(new Set([...linked, 'index.html']));
  expect(readFileSync(join(folder, 'start.js'), 'utf8')).toContain('"url":"openapi.json"');
});
