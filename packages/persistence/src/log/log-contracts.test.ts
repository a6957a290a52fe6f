import { LOG_CONTRACTS, logExportContract, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { postgresLogExport } from './postgres-log-export.ts';

const postgresTest: TestWith<LogPorts> = (name, run) =>
  test(name, () => withDatabase((database) => run(logPortsOf(database))));

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} on PostgreSQL`, () => {
    contract(postgresTest);
  });
}

describe('exporting logs on PostgreSQL', () => {
  logExportContract((name, run) =>
    test(name, () =>
      withDatabase((database) => run({ ...logPortsOf(database), source: postgresLogExport(database) })),
    ),
  );
});
