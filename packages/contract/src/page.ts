import * as z from 'zod';
import { INTEGER_MAX } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { digits, parameter } from './parameter.ts';
import { address } from './response-text.ts';

const LIMIT_DEFAULT = 100;
/** The maximum number of results on a page. */
export const PAGE_MAX = 1000;
const OFFSET = { min: 0, max: INTEGER_MAX };
export const OFFSET_DESCRIPTION = 'Number of results to skip.';

export const pageParameters = {
  limit: parameter(
    integer({ min: 1, max: INTEGER_MAX }).default(LIMIT_DEFAULT),
    digits({ min: 1, max: Number.POSITIVE_INFINITY, cap: PAGE_MAX }),
  ).meta({ description: `Maximum number of results on the page. Larger values count as ${PAGE_MAX}.` }),
  offset: parameter(integer(OFFSET).default(0), digits(OFFSET)).meta({
    description: OFFSET_DESCRIPTION,
  }),
};

export const pageQuery = z.object(pageParameters);

const pageUrl = address.nullable();

/** The fields of a page other than its results. */
export const pageEnvelope = {
  count: natural().meta({ description: 'Total number of results, on all pages.', examples: [123] }),
  next: pageUrl.meta({
    description: 'URL of the next page; null on the last page.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100&offset=200'],
  }),
  previous: pageUrl.meta({
    description: 'URL of the previous page; null on the first page.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100'],
  }),
};

/** Returns the schema of a page of items. */
export function pageOf<S extends z.ZodType>(id: string, item: S) {
  return z
    .object({ ...pageEnvelope, results: z.array(item).meta({ maxItems: PAGE_MAX }) })
    .meta({ id, description: 'One page of a list.' });
}
