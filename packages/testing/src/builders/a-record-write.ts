import type { ConfigRecord, NewActivity, RecordWrite } from '@plugin-config/domain';
import { anAuthor } from './an-author.ts';

interface Extras {
  readonly activity?: Partial<NewActivity>;
  /** By default, the new configuration as shown. */
  readonly values?: string;
  readonly ended?: RecordWrite['ended'];
}

/** Creates a change based on the given state of a record. */
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
