import { readFileSync } from 'node:fs';
import { FAMILIES } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { familiesOf } from '../endpoints/families-of.ts';
import { OPERATIONS } from '../testing/mounted-endpoints.ts';

const PAGE = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');

const ENDPOINTS = [...new Set(OPERATIONS.map(({ endpoint }) => endpoint))];

test('docs/api.md lists exactly the endpoints, with their scopes', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| .* `(?:GET|POST|PUT|PATCH|DELETE) /.test(line));
  const listed = rows.flatMap((row) => {
    const [, , paths = '', scope = ''] = row.split('|').map((cell) => cell.trim());
    return paths.split(', ').map((path) => `${path} ${scope}`);
  });
  expect(listed.toSorted()).toEqual(
    ENDPOINTS.map((endpoint) => {
      const { method, path, scope, orScope, needs } = endpoint;
      const families = familiesOf(endpoint);
      const family = families.length === FAMILIES.length ? ':family' : families.join('|');
      const shown = path
        .replace('/api/projects/:project_id/:family', `/${family}`)
        .replace(':plugin_config_id', ':id');
      const scopes = [scope ?? [], orScope ?? []].flat().map((one) => `\`${one}\``);
      return `\`${method} ${shown}\` ${needs === 'page' ? 'none' : scopes.length === 0 ? 'any valid key' : scopes.join(' or ')}`;
    }).toSorted(),
  );
});
