import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { llmsText, PAGES, writeSiteFiles } from './site-files.ts';

const ROOT = dirname(import.meta.dirname);

test('the site has every page as Markdown, and llms.txt lists each with a description', () => {
  const site = mkdtempSync(join(tmpdir(), 'site-'));
  onTestFinished(() => rmSync(site, { recursive: true }));
  writeSiteFiles(ROOT, site);
  const pages = globSync(PAGES, { cwd: ROOT });
  expect(pages.filter((path) => !existsSync(join(site, path)))).toEqual([]);
  const text = readFileSync(join(site, 'llms.txt'), 'utf8');
  const listed = [...text.matchAll(/^- \[(?<title>.+)\]\((?<path>[^)]+)\): (?<about>.{10,})$/gm)];
  const paths = listed.map(({ groups }) => groups?.['path'] ?? '');
  expect(paths.toSorted()).toEqual(pages.filter((path) => path !== 'README.md').toSorted());
  expect(text).toMatch(/^# Plugin configuration service\n\n> A self-hosted backend .*\n\n## Guides\n/);
});

test('a page is described by its first sentence, without links', () => {
  const page = {
    path: 'docs/one.md',
    text: '# One\n\n![A picture](a.png)\n\nSee [two](two.md), or\nthree. More.\n',
  };
  expect(llmsText([page])).toContain('- [One](docs/one.md): See two, or three.\n');
});
