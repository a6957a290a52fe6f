import * as z from 'zod';
import { FAMILY_VERSION, FAMILY_VERSION_MAX } from './headers.ts';
import { INTEGER_MAX } from './integer.ts';
import { pageParameters } from './page.ts';
import { AS_IT_IS, digits, orNull, parameter, TRUE_OR_FALSE } from './parameter.ts';
import { plugin } from './record-fields.ts';
import { text } from './text.ts';

const SEARCH_MAX = 1000;
const VERSION_EXPECTED = 'The x-family-version of an earlier answer is required.';

const version = z.string().regex(FAMILY_VERSION, VERSION_EXPECTED).meta({ maxLength: FAMILY_VERSION_MAX });

export const search = parameter(orNull(text(SEARCH_MAX)), AS_IT_IS);

export const recordListQuery = z.object({
  ...pageParameters,
  deleted: parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
    description:
      'True lists only deleted records, false only the others. Without it, deleted ones are left out.',
  }),
  enabled: parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
    description: 'Only enabled, or only disabled records.',
  }),
  plugin: parameter(orNull(plugin), digits({ min: 1, max: INTEGER_MAX })).meta({
    description: 'Only records that attach this plugin.',
  }),
  search: search.meta({
    description: 'A part of the name or the description, case-insensitive; no character is a wildcard.',
  }),
  changed_since: parameter(orNull(version), AS_IT_IS).meta({
    description:
      'The `x-family-version` of an earlier answer. Only records whose answers have changed after it, in the order of ' +
      'these changes. Deleted ones are included, unless `deleted` says otherwise.',
  }),
});

export type RecordListQuery = z.output<typeof recordListQuery>;
