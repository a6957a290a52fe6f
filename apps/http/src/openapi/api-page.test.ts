import { FAMILIES, SCOPES } from '@plugin-config/domain';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { familiesOf } from '../endpoints/families-of.ts';
import { OPERATIONS } from '../testing/mounted-endpoints.ts';

const DOCS = new URL('../../../../docs/api/', import.meta.url);
const ENDPOINTS = [...new Set(OPERATIONS.map(({ endpoint }) => endpoint))];

const TITLE = `# Endpoints

Paths that begin with \`…\` are under \`/api/projects/:project_id\`. \`:family\` is \`plugin_configs\` or
\`pipeline_transformation_configs\`. [Keys](keys.md#scopes) explains the scopes; one of those named is enough.
`;

const rows = ENDPOINTS.map((endpoint) => {
  const { method, path, scope, orScope, needs, summary } = endpoint;
  const families = familiesOf(endpoint);
  const family = families.length === FAMILIES.length ? ':family' : families.join('|');
  const shown = path
    .replace(':family', family)
    .replace('/api/projects/:project_id/', '…/')
    .replace(':plugin_config_id', ':id');
  const scopes = [scope ?? [], orScope ?? []].flat().map((one) => `\`${one}\``);
  const needed = needs === 'page' ? 'none' : scopes.length === 0 ? 'any valid key' : scopes.join(' or ');
  return { shown, line: `| ${summary} | \`${method} ${shown}\` | ${needed} |` };
});

/** Returns the rows in a table, or nothing. */
function table(title: string, isOf: (path: string) => boolean): string {
  const lines = rows.filter(({ shown }) => isOf(shown)).map(({ line }) => line);
  return `\n## ${title}\n\n| | Method and path | Scope |\n|---|---|---|\n${lines.join('\n')}\n`;
}

const isOfFamily = (path: string): boolean => /^….(?::family|plugin_configs)/.test(path);
const isOfProject = (path: string): boolean => path.startsWith('…') && !isOfFamily(path);

test('docs/api/endpoints.md lists the endpoints, with their scopes', async () => {
  await expect(
    [
      TITLE,
      table('Records of a family', isOfFamily),
      table('A project', isOfProject),
      table('All projects, runtimes and administration', (path) => !path.startsWith('…')),
    ].join(''),
  ).toMatchFileSnapshot(new URL('endpoints.md', DOCS).pathname);
});

test('docs/api/keys.md explains exactly the scopes', () => {
  const page = readFileSync(new URL('keys.md', DOCS), 'utf8');
  const scopes =
    /\| Scope \| Allows \|\n\|---\|---\|\n(?<rows>(?:\|.*\n)+)/.exec(page)?.groups?.['rows'] ?? '';
  const named = scopes
    .split('\n')
    .flatMap((row) => /^\| `(?<scope>[^`]+)`/.exec(row)?.groups?.['scope'] ?? []);
  expect(new Set(named)).toEqual(new Set(SCOPES));
});
