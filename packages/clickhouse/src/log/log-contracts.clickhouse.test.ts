/** @module-tag long */

import { LOG_CONTRACTS, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { withOwnLog, withSharedLog } from '../testing/clickhouse-ports.fixture.ts';

/** These contracts need records with the first ids. */
const WITH_FIRST_IDS = 'retrying dead letters';

const withShared = withSharedLog();
const withOwn = withOwnLog();

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} on ClickHouse`, () => {
    const withLog = name === WITH_FIRST_IDS ? withOwn : withShared;
    const clickHouseTest: TestWith<LogPorts> = (title, run) => test(title, () => withLog(run));
    contract(clickHouseTest);
  });
}
