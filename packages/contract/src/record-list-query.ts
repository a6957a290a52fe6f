import * as z from 'zod';
import { FAMILY_VERSION, FAMILY_VERSION_MAX } from './headers.ts';
import { pageParameters } from './page.ts';
import { RAW_TEXT, orNull, parameter, TRUE_OR_FALSE } from './parameter.ts';
import { pluginParameter } from './record-fields.ts';
import { text } from './text.ts';

const SEARCH_MAX = 1000;
const VERSION_EXPECTED = 'The x-family-version of an earlier response is required.';

const version = z.string().regex(FAMILY_VERSION, VERSION_EXPECTED).meta({ maxLength: FAMILY_VERSION_MAX });

export const search = parameter(orNull(text(SEARCH_MAX)), RAW_TEXT);

const valid = parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
  description:
    'If false, only enabled records whose configuration the schema of their plugin rejects; if true, only the others.',
});

const outdated = parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
  description:
    "If true, only records whose configuration follows an older schema version than that of their plugin's current version, or that are pinned to a version that is deprecated or withdrawn; if false, only the others.",
});

export const recordListQuery = z.object({
  ...pageParameters,
  deleted: parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
    description:
      'If true, only deleted records; if false, only records that are not deleted. By default, deleted records are left out.',
  }),
  enabled: parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
    description: 'If true, only enabled records; if false, only disabled records.',
  }),
  valid,
  outdated,
  plugin: pluginParameter.meta({
    description: 'Only records that attach this plugin.',
  }),
  search: search.meta({
    description:
      'Only records whose name or description contains this text, ignoring case. There are no wildcards.',
  }),
  changed_since: parameter(orNull(version), RAW_TEXT).meta({
    description:
      'The `x-family-version` of an earlier response. Only records that have changed since, in the order of the changes. ' +
      'Deleted records are included unless `deleted` is false.',
  }),
});

export const attachedRecordsQuery = z.object({ ...pageParameters, valid, outdated });

export type RecordListQuery = z.output<typeof recordListQuery>;
