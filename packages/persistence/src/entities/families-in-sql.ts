import { FAMILIES, FAMILY } from '@plugin-config/domain';
import { listed } from './listed.ts';

/** All families, as a list in SQL. */
export const EVERY_FAMILY = listed(FAMILIES);

/** The families whose records have a log, as a list in SQL. */
export const FAMILIES_WITH_LOG = listed(FAMILIES.filter((family) => FAMILY[family].hasLog));
