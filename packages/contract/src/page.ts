import * as z from 'zod';
import { integer, INTEGER_MAX, natural } from './integer.ts';
import { digits, parameter } from './parameter.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;
const OFFSET = { min: 0, max: INTEGER_MAX };

export const pageParameters = {
  limit: parameter(
    integer({ min: 1, max: INTEGER_MAX }).default(LIMIT_DEFAULT),
    digits({ min: 1, max: Number.POSITIVE_INFINITY, cap: LIMIT_MAX }),
  ).meta({ description: `Number of results per page. More than ${LIMIT_MAX} counts as ${LIMIT_MAX}.` }),
  offset: parameter(integer(OFFSET).default(0), digits(OFFSET)).meta({
    description: 'The initial index from which to return the results.',
  }),
};

/** The parameters of every list. */
export const pageQuery = z.object(pageParameters);

export type PageQuery = z.output<typeof pageQuery>;

const address = z.url().nullable();

/** The fields of a page beside its results. */
export const pageEnvelope = {
  count: natural().meta({ description: 'Total number of results on all pages.', examples: [123] }),
  next: address.meta({
    description: 'Address of the next page; null at the end.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100&offset=200'],
  }),
  previous: address.meta({
    description: 'Address of the previous page; null at the start.',
    examples: ['https://example.com/api/projects/1/plugin_configs/?limit=100'],
  }),
};

/** The page envelope around results of one kind. */
export function pageOf<S extends z.ZodType>(id: string, item: S) {
  return z
    .object({ ...pageEnvelope, results: z.array(item) })
    .meta({ id, description: 'One page of a list.' });
}
