import type { ConfigRecord, NewActivity, RecordWrite, SealedSecrets } from '@plugin-config/domain';
import { anAuthor } from './an-author.ts';

interface Extras {
  readonly activity?: Partial<NewActivity>;
  readonly secrets?: SealedSecrets;
  readonly ended?: RecordWrite['ended'];
}

/** A change of a record, based on the record as it was read. */
export function aRecordWrite(
  before: ConfigRecord,
  change: Partial<RecordWrite['after']>,
  { activity, secrets, ended }: Extras = {},
): RecordWrite {
  const entry: NewActivity = { ...anAuthor(), activity: 'updated', changes: [], ...activity };
  return {
    before,
    after: { ...before, ...change },
    activity: entry,
    ...(secrets && { secrets }),
    ...(ended && { ended }),
  };
}
