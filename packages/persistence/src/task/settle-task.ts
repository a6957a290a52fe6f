import type { NextTurn, Task } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

const REMOVE_TASK = prepared('remove_task')`delete from task where id = $1 and attempts = $2 returning 1`;

const PUT_OFF_TASK = prepared('put_off_task')`
  update task set lease_until = null, payload = coalesce($3, payload),
    due_at = case when $4 = 'Infinity'::float8 then 'infinity'
      when $4::float8 > 0 then statement_timestamp() + $4 * interval '1 millisecond'
    end
  where id = $1 and attempts = $2
  returning 1`;

const LOCK_TASK = prepared('lock_task')`select from task where id = $1 and attempts = $2 for no key update`;

/**
 * Removes a task, or makes it due again, in the transaction of its work. Returns false if it has been claimed again or removed:
 * then the transaction must store nothing.
 */
export async function settleTask(
  connection: pg.Pool | pg.ClientBase,
  { id, attempts }: Pick<Task, 'id' | 'attempts'>,
  next: NextTurn | null,
): Promise<boolean> {
  const claim = [id, attempts];
  const rows =
    next === null
      ? await run(connection, REMOVE_TASK, claim)
      : await run(connection, PUT_OFF_TASK, [...claim, next.payload ?? null, next.dueInMs]);
  return rows.length > 0;
}

/** Locks a task until the transaction ends. Returns false if it has been claimed again or removed. */
export async function lockTask(
  client: pg.ClientBase,
  { id, attempts }: Pick<Task, 'id' | 'attempts'>,
): Promise<boolean> {
  return (await run(client, LOCK_TASK, [id, attempts])).length > 0;
}
