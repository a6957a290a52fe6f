import type { ConfigRecord, NewActivity, RecordWrite } from '@plugin-config/domain';
import { anAuthor } from './an-author.ts';

interface Extras {
  readonly activity?: Partial<NewActivity>;
  /** Unless given, a new configuration is stored as it is shown. */
  readonly values?: string;
  readonly ended?: RecordWrite['ended'];
}

/** A change of a record, based on the record as it was read. */
export function aRecordWrite(
  before: ConfigRecord,
  change: Partial<RecordWrite['after']>,
  { activity, values = change.config, ended }: Extras = {},
): RecordWrite {
  const entry: NewActivity = { ...anAuthor(), activity: 'updated', changes: [], ...activity };
  return {
    before,
    after: { ...before, ...change },
    activity: entry,
    ...(values !== undefined && { values }),
    ...(ended && { ended }),
  };
}
