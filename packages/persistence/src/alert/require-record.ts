import { noSuchRecord, type AlertRule } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

const FIND_RECORD_OF_RULE = prepared('find_record_of_rule')`
  select from config_record r where r.project_id = $1 and r.family = $2 and r.id = $3`;

/** @throws DomainError `does_not_exist`, attr `record`, if the rule names a record that is not in its family */
export async function requireRecord(
  connection: pg.Pool | pg.ClientBase,
  projectId: number,
  rule: AlertRule,
): Promise<void> {
  const { family, recordId } = rule;
  if (recordId === null) return;
  const found = await run(connection, FIND_RECORD_OF_RULE, [projectId, family, recordId]);
  if (found.length === 0) throw noSuchRecord(rule);
}
