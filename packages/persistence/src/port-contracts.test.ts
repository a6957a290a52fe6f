import {
  dryRunsContract,
  PORT_CONTRACTS,
  unfinishedJobsContract,
  USE_CASE_CONTRACTS,
  type Ports,
  type TestWith,
} from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { databaseOfFile } from './testing/database-of-file.ts';
import { dumpTables } from './testing/dump-tables.ts';
import { postgresPorts } from './postgres-ports.ts';

const withEmptied = databaseOfFile();

const postgresTest: TestWith<Ports> = (name, run) =>
  test(name, () => withEmptied((database) => run(postgresPorts(database))));

for (const [name, contract] of Object.entries({ ...PORT_CONTRACTS, ...USE_CASE_CONTRACTS })) {
  describe(`${name} on PostgreSQL`, () => {
    contract(postgresTest);
  });
}

describe('dry runs on PostgreSQL', () => {
  dryRunsContract((name, run) =>
    test(name, () =>
      withEmptied((database) =>
        run({
          ports: postgresPorts(database),
          dry: postgresPorts(database.dry),
          dump: () => dumpTables(database),
        }),
      ),
    ),
  );
});

describe('unfinished jobs on PostgreSQL', () => {
  unfinishedJobsContract((name, run) =>
    test(name, () =>
      withEmptied((database) =>
        run({
          ...postgresPorts(database),
          addCopies: async ({ id }, count) =>
            void (await database.pool.query(
              `insert into job (id, project_id, record_id, work, state, attempts, actor_label, created_at, due_at)
              select gen_random_uuid(), j.project_id, j.record_id, j.work, j.state, 0, '', j.created_at, j.due_at
              from job j, generate_series(1, $2) where j.id = $1`,
              [id, count],
            )),
        }),
      ),
    ),
  );
});
