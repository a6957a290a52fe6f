import { startOfDay } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import { momentText } from './entry-keys.ts';
import type { ClickHouse } from '../server/clickhouse.ts';

const LIMITS = { timeLimitMs: 2_000 };
/** An entry of no record, once a day at most. Its day is dropped as any other. */
const OF_NO_RECORD = { recordId: 0, id: '00000000-0000-0000-0000-000000000000' };

/**
 * Asks for an answer; if the last insert failed, stores an entry of no record: nobody may send others meanwhile.
 * @throws DomainError `unavailable` if that fails
 */
export async function tryClickHouse({ canInsert, select, insert }: ClickHouse): Promise<void> {
  if (canInsert) return void (await select('select 1', {}, LIMITS));
  const { recordId, id } = OF_NO_RECORD;
  const row = [recordId, momentText(startOfDay(Date.now())), id];
  await insert(LOG_ENTRY, ['record_id', 'timestamp', 'id'], [row], LIMITS);
}
