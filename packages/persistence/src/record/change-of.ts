import { replacesConfiguration, type RecordDraft, type RecordWrite } from '@plugin-config/domain';
import { writeSecrets } from '../configuration/sealed-secrets.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import type { RECORD_CHANGE, RECORD_VALUES } from '../writing/record-values.ts';

/** The columns of a record that callers set. */
export function recordValues({
  plugin,
  enabled,
  name,
  description,
  deleted,
}: Omit<RecordDraft, 'order'>): RowOf<typeof RECORD_VALUES> {
  return { plugin, enabled, name, description, deleted };
}

/** The columns of a change. */
export function changeOf(
  write: Pick<RecordWrite, 'before' | 'after' | 'secrets'>,
): RowOf<typeof RECORD_CHANGE> {
  const { after, secrets } = write;
  return {
    ...recordValues(after),
    position: after.order,
    config: replacesConfiguration(write) ? after.config : null,
    secrets: secrets === undefined ? null : writeSecrets(secrets),
    updated_at: after.updatedAt,
  };
}
