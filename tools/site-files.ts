import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The pages of the site. */
export const PAGES = '{*.md,docs/**/*.md,deploy/*.md,{apps,packages}/*/README.md}';

/** Groups of pages in llms.txt, in this order. A page is in the first one that it belongs to. */
const GROUPS: readonly (readonly [title: string, isOf: (path: string) => boolean])[] = [
  ['API', (path) => path === 'docs/api.md' || path.startsWith('docs/api/')],
  ['Operations', (path) => /^(?:docs\/operations|deploy\/)/.test(path)],
  ['Decisions', (path) => path.startsWith('docs/adr/')],
  ['Guides', (path) => path.startsWith('docs/') || path === 'packages/client/README.md'],
  ['Project', () => true],
];
const ORDER = ['Guides', 'API', 'Operations', 'Project', 'Decisions'];

/** Adds what programs read to the built site: every page as Markdown at its own path, and a list of them in llms.txt. */
export function writeSiteFiles(root: string, site: string): void {
  const paths = globSync(PAGES, { cwd: root }).toSorted();
  for (const path of paths) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    copyFileSync(join(root, path), join(site, path));
  }
  const pages = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  writeFileSync(join(site, 'llms.txt'), llmsText(pages));
}

interface Page {
  readonly path: string;
  readonly text: string;
}

/** Lists pages with their first sentences, in the form of https://llmstxt.org. */
export function llmsText(pages: readonly Page[]): string {
  const groups = Map.groupBy(
    pages.filter(({ path }) => path !== 'README.md'),
    ({ path }) => GROUPS.find(([, isOf]) => isOf(path))?.[0] ?? '',
  );
  const readme = pages.find(({ path }) => path === 'README.md');
  const sections = ORDER.flatMap((title) => {
    const lines = (groups.get(title) ?? []).map(
      ({ path, text }) => `- [${titleOf(text)}](${path}): ${firstSentence(text)}`,
    );
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}\n`];
  });
  return [`# ${titleOf(readme?.text ?? '')}\n\n> ${firstSentence(readme?.text ?? '')}\n`, ...sections].join(
    '\n',
  );
}

const titleOf = (text: string): string => /^# (?<title>.*)$/m.exec(text)?.groups?.['title'] ?? '';

/** Returns the first sentence of a page's text, without links. */
function firstSentence(text: string): string {
  const paragraph =
    text.split(/\n{2,}/).find((block) => /^[\p{L}`*[]/u.test(block) && !block.startsWith('**Status')) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain;
}
