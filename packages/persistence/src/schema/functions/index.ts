import { CREATE_CONFIG_RECORDS } from './create-config-records.ts';
import { DROP_LOG_DAY } from './drop-log-day.ts';
import { MASK_HISTORY } from './mask-history.ts';
import { QUEUE_JOB } from './queue-job.ts';
import { SAVE_CONFIG_RECORDS } from './save-config-records.ts';
import { SECRET_KEYS } from './secret-keys.ts';

/** The current version of every function and trigger. A migration loads those that it adds or changes. */
export const FUNCTIONS = [
  SECRET_KEYS,
  ...MASK_HISTORY,
  SAVE_CONFIG_RECORDS,
  CREATE_CONFIG_RECORDS,
  QUEUE_JOB,
  DROP_LOG_DAY,
];
