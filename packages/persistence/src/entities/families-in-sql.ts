import { FAMILIES, FAMILY } from '@plugin-config/domain';
import { listed } from './listed.ts';

/** All families as an SQL list. */
export const EVERY_FAMILY = listed(FAMILIES);

/** The families whose records have a log, as an SQL list. */
export const FAMILIES_WITH_LOG = listed(FAMILIES.filter((family) => FAMILY[family].hasLog));
