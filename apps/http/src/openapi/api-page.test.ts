import { readFileSync } from 'node:fs';
import { FAMILIES, FAMILY } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../testing/mounted-endpoints.ts';

const PAGE = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');

const ENDPOINTS = [...new Set(OPERATIONS.map(({ endpoint }) => endpoint))];

test('docs/api.md lists each endpoint with its scope, and no other', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| .* `(?:GET|POST|PUT|PATCH|DELETE) /.test(line));
  const listed = rows.flatMap((row) => {
    const [, , paths = '', scope = ''] = row.split('|').map((cell) => cell.trim());
    return paths.split(', ').map((path) => `${path} ${scope}`);
  });
  expect(listed.toSorted()).toEqual(
    ENDPOINTS.map(({ method, path, needsLog, scope }) => {
      const family = needsLog === true ? FAMILIES.filter((name) => FAMILY[name].hasLog).join('|') : ':family';
      const shown = path
        .replace('/api/projects/:project_id/:family', `/${family}`)
        .replace(':plugin_config_id', ':id');
      return `\`${method} ${shown}\` ${scope === null ? 'any valid key' : `\`${scope}\``}`;
    }).toSorted(),
  );
});
