import { PORT_CONTRACTS, USE_CASE_CONTRACTS, type Ports, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { databaseOfFile } from './testing/database-of-file.ts';
import { portsOf } from './testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();

const postgresTest: TestWith<Ports> = (name, run) =>
  test(name, () => withEmptied((database) => run(portsOf(database))));

for (const [name, contract] of Object.entries({ ...PORT_CONTRACTS, ...USE_CASE_CONTRACTS })) {
  describe(`${name} on PostgreSQL`, () => {
    contract(postgresTest);
  });
}
