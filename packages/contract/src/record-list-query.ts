import * as z from 'zod';
import { INTEGER_MAX } from './integer.ts';
import { pageParameters } from './page.ts';
import { AS_IT_IS, digits, orNull, parameter, TRUE_OR_FALSE } from './parameter.ts';
import { plugin } from './record-fields.ts';
import { text } from './text.ts';

const SEARCH_MAX = 1000;

export const search = parameter(orNull(text(SEARCH_MAX)), AS_IT_IS);

export const recordListQuery = z.object({
  ...pageParameters,
  deleted: parameter(z.boolean().default(false), TRUE_OR_FALSE).meta({
    description: 'True lists only deleted records; otherwise they are left out.',
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
});

export type RecordListQuery = z.output<typeof recordListQuery>;
