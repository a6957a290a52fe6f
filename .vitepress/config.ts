import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeSiteFiles } from '../tools/site-files.ts';

// The site of the docs: every document of the repository, at its own path. `npm run site` builds it with VitePress, which is not
// installed with the packages because it would double the time that they take.

interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Page {
  readonly tokens: readonly Token[];
  readonly env: { readonly relativePath: string };
}

interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (page: Page) => void): void } };
}

const { SITE_BASE = '/', SITE_SOURCE = 'https://github.com/plugin-config/service/blob/main' } = process.env;
const README_LINK = /\[([^\]]+)\]\(([^)]+\.md)\)/g;

/** The documents in the table of the README, in its order. */
function guides() {
  const [, table = ''] = readFileSync('README.md', 'utf8').split('## Documentation');
  return [...table.matchAll(README_LINK)].map(([, text = '', path]) => ({
    text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    link: `/${path}`,
  }));
}

/** Pages by their headings. */
function pages(pattern: string) {
  return globSync(pattern)
    .toSorted()
    .map((path) => ({ text: /^# (.*)/.exec(readFileSync(path, 'utf8'))?.[1], link: `/${path}` }));
}

/** Makes links to files that are not pages lead to the repository. */
function linkSources({ core }: Markdown): void {
  core.ruler.push('link-sources', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const [path = ''] = token.type === 'link_open' ? (token.attrGet('href')?.split('#') ?? []) : [];
      const file = join(dirname(env.relativePath), path);
      if (path !== '' && !path.endsWith('.md') && existsSync(file))
        token.attrSet('href', `${SITE_SOURCE}/${file}`);
    }
  });
}

export default {
  title: 'Plugin configuration service',
  base: SITE_BASE,
  outDir: '.site',
  cacheDir: 'node_modules/.vitepress',
  buildEnd: ({ outDir }: { readonly outDir: string }) => writeSiteFiles('.', outDir),
  rewrites: { 'README.md': 'index.md' },
  markdown: { config: linkSources },
  themeConfig: {
    nav: [
      { text: 'API reference', link: '/reference/index.html', target: '_self' },
      { text: 'Changelog', link: '/CHANGELOG.md' },
      { text: 'For programs', link: '/llms.txt', target: '_self' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar: [
      { text: 'Guides', items: guides() },
      { text: 'API', collapsed: true, items: pages('docs/api/*.md') },
      { text: 'Runtimes', collapsed: true, items: pages('docs/runtimes/*.md') },
      { text: 'Operations', collapsed: true, items: pages('docs/operations/*.md') },
      { text: 'Decisions', collapsed: true, items: pages('docs/adr/*.md') },
      { text: 'Packages', collapsed: true, items: pages('{packages,apps}/*/README.md') },
    ],
  },
};
