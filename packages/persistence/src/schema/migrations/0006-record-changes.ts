import { CREATE_CONFIG_RECORDS } from '../functions/create-config-records.ts';
import { QUEUE_JOB } from '../functions/queue-job.ts';
import { SAVE_CONFIG_RECORDS } from '../functions/save-config-records.ts';

/** Functions whose columns, entries and revisions come from the parts that all writers share. */
export const RECORD_CHANGES: readonly string[] = [SAVE_CONFIG_RECORDS, CREATE_CONFIG_RECORDS, QUEUE_JOB];
