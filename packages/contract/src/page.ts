import * as z from 'zod';
import { integer, INTEGER_MAX, natural } from './integer.ts';
import { digits, parameter } from './parameter.ts';
import { address } from './shown-text.ts';

const LIMIT_DEFAULT = 100;
/** The most results of a page. */
export const PAGE_MAX = 1000;
const OFFSET = { min: 0, max: INTEGER_MAX };

export const pageParameters = {
  limit: parameter(
    integer({ min: 1, max: INTEGER_MAX }).default(LIMIT_DEFAULT),
    digits({ min: 1, max: Number.POSITIVE_INFINITY, cap: PAGE_MAX }),
  ).meta({ description: `Number of results per page. More than ${PAGE_MAX} counts as ${PAGE_MAX}.` }),
  offset: parameter(integer(OFFSET).default(0), digits(OFFSET)).meta({
    description: 'The initial index from which to return the results.',
  }),
};

/** The parameters of every list. */
export const pageQuery = z.object(pageParameters);

export type PageQuery = z.output<typeof pageQuery>;

const neighbour = address.nullable();

/** The fields of a page beside its results. */
export const pageEnvelope = {
  count: natural().meta({ description: 'Total number of results on all pages.', examples: [123] }),
  next: neighbour.meta({
    description: 'Address of the next page; null at the end.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100&offset=200'],
  }),
  previous: neighbour.meta({
    description: 'Address of the previous page; null at the start.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100'],
  }),
};

/** The page envelope around results of one kind. */
export function pageOf<S extends z.ZodType>(id: string, item: S) {
  return z
    .object({ ...pageEnvelope, results: z.array(item).meta({ maxItems: PAGE_MAX }) })
    .meta({ id, description: 'One page of a list.' });
}
