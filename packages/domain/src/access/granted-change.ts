import { changeRecord, type ConfigRecord, type RecordChange } from '../record/config-record.ts';
import { grantsScope, type KeyGrant } from './api-key.ts';
import { checkGranted } from './authorise.ts';

/**
 * Returns what a key may change of a record. With `config:write` alone, that is its texts and `enabled`: other fields can only be
 * sent back as they were read.
 * @throws DomainError `scope_missing` if another field would change
 */
export function grantedChange(
  key: Pick<KeyGrant, 'scopes'>,
  record: ConfigRecord,
  change: RecordChange,
): RecordChange {
  if (grantsScope(key.scopes, 'plugin:write')) return change;
  const { name, description, enabled, ...others } = change;
  if (changeRecord(record, others) !== record) checkGranted(key, 'plugin:write');
  return { name, description, enabled };
}

/**
 * Checks that a key may queue or cancel a job. With `config:write` alone, that is a task for a runtime, not a change to the record.
 * @throws DomainError `scope_missing`
 */
export function checkMayQueue(key: Pick<KeyGrant, 'scopes'>, isChange: boolean): void {
  if (isChange) checkGranted(key, 'plugin:write');
}
