import { LOG_CONTRACTS, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const postgresTest: TestWith<LogPorts> = (name, run) =>
  test(name, () => withEmptied((database) => run(logPortsOf(database))));

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} on PostgreSQL`, () => {
    contract(postgresTest);
  });
}
