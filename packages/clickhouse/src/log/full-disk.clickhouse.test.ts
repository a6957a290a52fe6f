import { DomainError } from '@plugin-config/domain';
import { aLogEntry } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { clickHouseLog, tryClickHouse } from '../index.ts';
import { withClickHouse } from '../testing/clickhouse-ports.fixture.ts';

const LIMITS = { timeLimitMs: 20_000 };
const MORE_THAN_ANY_DISK = 10 ** 17;

test('a server without disk space is named as such, and is unfit until an entry can be stored again', () =>
  withClickHouse(async (clickHouse) => {
    const log = clickHouseLog({ clickHouse });
    const append = () =>
      log.append([aLogEntry({ id: 7, projectId: 3 })], { announcement: '1', isFollowed: () => false });
    const alter = (change: string) => clickHouse.command(`alter table log_entry ${change}`, LIMITS);
    await append();
    await tryClickHouse(clickHouse);
    await alter(`modify setting min_free_disk_bytes_to_perform_insert = ${MORE_THAN_ANY_DISK}`);
    const full = { code: 'unavailable', message: 'ClickHouse has no disk space left.' };
    await tryClickHouse(clickHouse);
    await expect(append()).rejects.toMatchObject(full);
    await expect(tryClickHouse(clickHouse)).rejects.toMatchObject(full);
    await alter('reset setting min_free_disk_bytes_to_perform_insert');
    await tryClickHouse(clickHouse);
    await append();
    const counted = await clickHouse.select(
      'select record_id, count() from log_entry final group by 1 order by 1',
      {},
      LIMITS,
    );
    expect(counted.map((row) => row.map(Number))).toEqual([
      [0, 1],
      [7, 2],
    ]);
  }));

test('an error of the server is told apart from one that does not answer', () =>
  withClickHouse(async ({ select }) => {
    await expect(select('select * from nowhere', {}, LIMITS)).rejects.toSatisfy(
      (error) => error instanceof DomainError && error.message === 'ClickHouse has failed with error 60.',
    );
  }));
