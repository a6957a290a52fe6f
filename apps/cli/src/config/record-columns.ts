import type { EditedRecord, OwnedRecord } from '@plugin-config/client';
import type { Columns } from '../table.ts';

/** Names a record as the arguments of the commands do. */
export function recordPath({ family, id }: Pick<OwnedRecord, 'family' | 'id'>): string {
  return `${family}/${id}`;
}

export const EDITED_COLUMNS: Columns<EditedRecord> = {
  RECORD: recordPath,
  KEY: ({ key }) => key,
  FIELDS: ({ fields }) => fields.join(','),
  BY: ({ actor }) => actor?.label ?? null,
  AT: ({ at }) => at,
};

export const CONFLICT_COLUMNS: Columns<OwnedRecord> = {
  RECORD: recordPath,
  KEY: ({ key }) => key,
  MANAGER: ({ manager }) => manager,
};
