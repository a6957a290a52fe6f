import * as z from 'zod';
import { INTEGER_MAX } from '@plugin-config/domain/vocabulary';
import { integer } from './integer.ts';
import { afterParameter, beforeParameter, MOMENT_FORMAT } from './moment.ts';
import { OFFSET_DESCRIPTION, pageParameters } from './page.ts';
import { RAW_TEXT, digits, orNull, parameter, repeatedParameter } from './parameter.ts';
import { streamParameters } from './stream.ts';
import { search } from './record-list-query.ts';

export const LOG_WORD_MAX = 32;
export const LOG_WORD = /^[A-Z][A-Z0-9_]{0,31}$/;

const WORD_EXPECTED =
  'Up to 32 capital letters, digits and underscores are required, starting with a letter.';
const word = z.string().regex(LOG_WORD, WORD_EXPECTED).meta({ maxLength: LOG_WORD_MAX });

const uuidParameter = parameter(
  orNull(z.guid('A valid UUID is required.').toLowerCase().meta({ maxLength: 36 })),
  RAW_TEXT,
);

export const logFilter = z.object({
  type_filter: repeatedParameter(word, WORD_EXPECTED).meta({
    description: 'Only entries of this type. May be given more than once.',
  }),
  source: parameter(orNull(word), RAW_TEXT).meta({ description: 'Only entries of this source.' }),
  instance_id: uuidParameter.meta({ description: 'Only entries of this instance.' }),
  after: afterParameter.meta({
    description: `Only entries after this time. ${MOMENT_FORMAT}`,
  }),
  before: beforeParameter.meta({
    description: `Only entries before this time. ${MOMENT_FORMAT}`,
  }),
  search: search.meta({
    description: 'Only entries whose message contains this text, ignoring case. There are no wildcards.',
  }),
});

interface LogQuery {
  readonly type_filter: readonly string[];
  readonly instance_id: string | null;
}

function withDomainNames<Q extends LogQuery>({ type_filter: types, instance_id: instanceId, ...query }: Q) {
  return { ...query, types, instanceId };
}

const OFFSET = { min: 0, max: INTEGER_MAX };
const ONE_OF_BOTH = 'Give either around or offset, not both.';

export const logListQuery = z
  .object({
    ...pageParameters,
    /** Null if absent, to tell it from an `offset` of 0. */
    offset: parameter(orNull(integer(OFFSET)), digits(OFFSET)).meta({
      default: 0,
      description: OFFSET_DESCRIPTION,
    }),
    around: uuidParameter.meta({
      description:
        'Returns the page that contains the entry with this id, instead of one at an `offset`. The response includes its `offset`.',
    }),
    ...logFilter.shape,
  })
  .transform(({ offset, ...query }, ctx) => {
    if (query.around === null || offset === null) return withDomainNames({ ...query, offset: offset ?? 0 });
    ctx.addIssue({ code: 'custom', path: ['around'], message: ONE_OF_BOTH });
    return z.NEVER;
  });

export const logEntryQuery = z.object({
  timestamp: afterParameter.meta({
    description: `The timestamp of the entry. With it, the lookup is fast in a log of any size. ${MOMENT_FORMAT}`,
  }),
});

const TAIL = { min: 0, max: 1000 };

export const logStreamQuery = z
  .object({
    tail: parameter(integer(TAIL).default(0), digits(TAIL)).meta({
      description: 'Start with this many of the newest entries, oldest first. Ignored if the stream resumes.',
    }),
    ...streamParameters,
    ...logFilter.shape,
  })
  .transform(withDomainNames);
