import { KEY_PAGE_MAX_PROJECTS } from '@plugin-config/domain';
import { aKeyHash, anApiKey, anAuthor } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test(
  'a page of keys ends before its keys are bound to too many projects, and the next page continues there',
  { tags: ['long'] },
  () =>
    withEmptied(async (database) => {
      const { keys } = postgresPorts(database);
      const each = KEY_PAGE_MAX_PROJECTS / 2;
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into project (name, created_at) select 'p', now() from generate_series(1, ${each}) returning id::int`,
      );
      const projectIds = rows.map(({ id }) => id);
      const ids: number[] = [];
      for (let i = 0; i < 3; i++)
        ids.push((await keys.add(anApiKey({ projectIds, hash: aKeyHash(i) }), anAuthor())).id);
      const first = await keys.list({ limit: 10, offset: 0 }, null);
      expect([first.count, first.items.map(({ id }) => id)]).toEqual([3, ids.slice(0, 2)]);
      const second = await keys.list({ limit: 10, offset: 2 }, null);
      expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
    }),
);
