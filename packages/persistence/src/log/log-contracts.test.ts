import { LOG_CONTRACTS, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const postgresTest: TestWith<LogPorts> = (name, run) =>
  test(name, () => withDatabase((database) => run(logPortsOf(database))));

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} on PostgreSQL`, () => {
    contract(postgresTest);
  });
}
