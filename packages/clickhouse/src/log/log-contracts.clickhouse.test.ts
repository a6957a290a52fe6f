import { LOG_CONTRACTS, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { withPorts } from '../testing/clickhouse-ports.fixture.ts';

const clickHouseTest: TestWith<LogPorts> = (name, run) => test(name, () => withPorts(run));

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} on ClickHouse`, () => {
    contract(clickHouseTest);
  });
}
