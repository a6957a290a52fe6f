import type { Contracts, LogPorts, TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { databaseOfFile } from './database-of-file.ts';
import { logPortsOf } from './postgres-log-ports.fixture.ts';

/** Runs contract suites on the database of the file, which is emptied before each test. */
export function runContracts(contracts: Contracts): void {
  const withEmptied = databaseOfFile();
  const postgresTest: TestWith<LogPorts> = (name, run) =>
    test(name, () => withEmptied((database) => run(logPortsOf(database))));
  for (const [name, contract] of Object.entries(contracts)) {
    describe(`${name} on PostgreSQL`, () => {
      contract(postgresTest);
    });
  }
}
