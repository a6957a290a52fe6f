import * as z from 'zod';
import { integer, INTEGER_MAX } from './integer.ts';
import { afterParameter, beforeParameter } from './moment.ts';
import { pageParameters } from './page.ts';
import { AS_IT_IS, digits, orNull, parameter } from './parameter.ts';
import { streamParameters } from './stream.ts';
import { search } from './record-list-query.ts';

export const LOG_WORD_MAX = 32;
const TYPES_MAX = 1000;
export const LOG_WORD = /^[A-Z][A-Z0-9_]{0,31}$/;

const TOO_MANY = `At most ${TYPES_MAX} values are accepted.`;
const WORD_EXPECTED =
  'A capital letter is required, then capitals, digits and underscores, 32 characters in all.';
const word = z.string().regex(LOG_WORD, WORD_EXPECTED).meta({ maxLength: LOG_WORD_MAX });

/** Accepts the parameter several times. */
const typeFilter = z
  .preprocess((sent, ctx) => {
    const types = [sent ?? []].flat().filter((type) => type !== '');
    if (!types.every((type) => typeof type === 'string' && LOG_WORD.test(type))) ctx.addIssue(WORD_EXPECTED);
    else if (types.length > TYPES_MAX) ctx.addIssue(TOO_MANY);
    return types;
  }, z.array(word).default([]))
  .meta({ maxItems: TYPES_MAX, description: 'Only entries of this type; may be repeated.' });

const anId = parameter(
  orNull(z.guid('A valid UUID is required.').toLowerCase().meta({ maxLength: 36 })),
  AS_IT_IS,
);

const logFilterParameters = {
  type_filter: typeFilter,
  source: parameter(orNull(word), AS_IT_IS).meta({ description: 'Only entries of this source.' }),
  instance_id: anId.meta({ description: 'Only entries of this instance.' }),
  after: afterParameter.meta({
    description: 'Only later entries. A date or a date-time in ISO 8601; without an offset it is UTC.',
  }),
  before: beforeParameter.meta({
    description: 'Only earlier entries. A date or a date-time in ISO 8601; without an offset it is UTC.',
  }),
  search: search.meta({
    description: 'A part of the message, case-insensitive; no character is a wildcard.',
  }),
};

interface LogQuery {
  readonly type_filter: readonly string[];
  readonly instance_id: string | null;
}

function renamed<Q extends LogQuery>({ type_filter: types, instance_id: instanceId, ...query }: Q) {
  return { ...query, types, instanceId };
}

const OFFSET = { min: 0, max: INTEGER_MAX };
const ONE_OF_BOTH = 'Give either around or offset, not both.';

export const logListQuery = z
  .object({
    ...pageParameters,
    /** Tells whether it was given. */
    offset: parameter(orNull(integer(OFFSET)), digits(OFFSET)).meta({
      default: 0,
      description: 'The initial index from which to return the results.',
    }),
    around: anId.meta({
      description:
        'The page that has the entry with this id, in place of an `offset`. The answer tells its `offset`.',
    }),
    ...logFilterParameters,
  })
  .transform(({ offset, ...query }, ctx) => {
    if (query.around === null || offset === null) return renamed({ ...query, offset: offset ?? 0 });
    ctx.addIssue({ code: 'custom', path: ['around'], message: ONE_OF_BOTH });
    return z.NEVER;
  });

export const logEntryQuery = z.object({
  timestamp: afterParameter.meta({
    description:
      'The timestamp of the entry, with which it is found at once in a log of any size. A date-time in ISO 8601; without an offset it is UTC.',
  }),
});

const TAIL = { min: 0, max: 1000 };

export const logStreamQuery = z
  .object({
    tail: parameter(integer(TAIL).default(0), digits(TAIL)).meta({
      description:
        'Begin with this many of the newest entries, oldest first. Without effect if the stream resumes.',
    }),
    ...streamParameters,
    ...logFilterParameters,
  })
  .transform(renamed);

export type LogListQuery = z.output<typeof logListQuery>;
