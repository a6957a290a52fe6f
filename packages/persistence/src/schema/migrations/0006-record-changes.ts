import { CREATE_CONFIG_RECORDS } from '../functions/create-config-records.ts';
import { SAVE_CONFIG_RECORDS } from '../functions/save-config-records.ts';

/** Functions whose columns come from the list of those of a change. */
export const RECORD_CHANGES: readonly string[] = [SAVE_CONFIG_RECORDS, CREATE_CONFIG_RECORDS];
