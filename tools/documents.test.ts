import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const REPOSITORY = dirname(import.meta.dirname);
const DOCUMENTS = globSync('{*.md,docs/**/*.md,deploy/*.md,{apps,packages,examples}/*/README.md}', {
  cwd: REPOSITORY,
});

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

/** Returns the GitHub anchors of a document's headings. */
function anchorsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (?<heading>.*)$/gm)].map(({ groups }) =>
    (groups?.['heading'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(DOCUMENTS)('each path in %s exists', (document) => {
  const paths = [...withoutCode(read(document)).matchAll(/`(?<path>(?:apps|packages|tools|docs)\/[^`\s]*)`/g)]
    .map(({ groups }) => groups?.['path'] ?? '')
    .filter((path) => !path.includes('<'));
  const missing = paths.filter(
    (path) => globSync(path.replaceAll('…', '*'), { cwd: REPOSITORY }).length === 0,
  );
  expect(missing).toEqual([]);
});

test.each(DOCUMENTS.filter((document) => document.includes('/') || document === 'README.md'))(
  '%s is short enough to be read at once',
  (document) => {
    expect(read(document).trimEnd().split('\n').length).toBeLessThanOrEqual(250);
  },
);

test('each file in the paths of requests in ARCHITECTURE.md exists', () => {
  const [, paths = ''] = read('ARCHITECTURE.md').split('## The path of a PATCH');
  const files = [...paths.matchAll(/`(?<part>[a-z]+)\/(?<file>[^`\s]+\.(?:ts|sql))`/g)];
  expect(files.length).toBeGreaterThan(60);
  const missing = files.filter(
    ({ groups: { part = '', file = '' } = {} }) =>
      !['apps', 'packages'].some((root) => existsSync(join(REPOSITORY, root, part, 'src', file))),
  );
  expect(missing.map(([path]) => path)).toEqual([]);
});

test.each(DOCUMENTS)('each link in %s has a target', (document) => {
  const links = [...withoutCode(read(document)).matchAll(/\]\((?<to>[^):]+)\)/g)];
  const broken = links
    .map(({ groups }) => groups?.['to'] ?? '')
    .filter((to) => {
      const [path = '', anchor] = to.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(REPOSITORY, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test('each file in the table of rules in ARCHITECTURE.md exists', () => {
  const rules =
    /## Where each rule lives.*?\|---\|---\|\n(?<table>.*?)\n## /s.exec(read('ARCHITECTURE.md'))?.groups?.[
      'table'
    ] ?? '';
  const files = rules.split('\n').flatMap((row) => {
    const [, , cell = ''] = row.split('|');
    const named = [...cell.matchAll(/`(?<path>[^`]+)`/g)].map(({ groups }) => groups?.['path'] ?? '');
    const [first = ''] = named;
    return named.map((path) => (path.includes('/') ? path : join(dirname(first), path)));
  });
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !existsSync(join(REPOSITORY, 'packages/domain/src', path)))).toEqual([]);
});

test('each decision has a unique number', () => {
  const files = globSync('docs/adr/*.md', { cwd: REPOSITORY });
  const numbers = files.map((path) => Number(/\d{4}/.exec(path)?.[0]));
  expect(new Set(numbers).size).toBe(numbers.length);
  const headings = files.map((path) => Number(/^# (\d+)\. /.exec(read(path))?.[1]));
  expect(headings).toEqual(numbers);
});

test('the Dockerfile copies the manifest of every package', () => {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: REPOSITORY });
  const missing = manifests.filter((path) => !read('Dockerfile').includes(`COPY ${path} `));
  expect(missing).toEqual([]);
});
