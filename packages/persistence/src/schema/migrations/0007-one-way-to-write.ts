import { CREATE_CONFIG_RECORDS } from '../functions/create-config-records.ts';
import { QUEUE_JOB } from '../functions/queue-job.ts';
import { SAVE_CONFIG_RECORDS } from '../functions/save-config-records.ts';

/** Functions that are made by `writing/write.ts`, as every statement that writes. */
export const ONE_WAY_TO_WRITE: readonly string[] = [SAVE_CONFIG_RECORDS, CREATE_CONFIG_RECORDS, QUEUE_JOB];
