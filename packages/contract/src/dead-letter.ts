import * as z from 'zod';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { responseText } from './response-text.ts';

const SHOWN_TEXT_MAX = 1_000;
const WORDS_MAX = 200;

export const deadLetter = z
  .object({
    id: natural(),
    plugin_config_id: natural()
      .nullable()
      .meta({ description: 'The record that the message names; null if that could not be read.' }),
    reason: responseText(WORDS_MAX).meta({
      description: 'Why it could not be stored, as a code.',
      examples: ['invalid_message'],
    }),
    detail: responseText(WORDS_MAX).meta({
      description: 'The reason as a sentence.',
      examples: ['`message` must be a string.'],
    }),
    received_at: moment,
    channel: responseText(WORDS_MAX).meta({
      description: 'How it arrived, such as `http` or `jetstream`.',
      examples: ['http'],
    }),
    text: responseText(SHOWN_TEXT_MAX).meta({
      description: `The first ${SHOWN_TEXT_MAX} characters of the message.`,
      examples: ['{"plugin_config_id": 42}'],
    }),
  })
  .meta({
    id: 'DeadLetter',
    description: 'A message that could not be stored.',
  });

export const deadLetterPage = pageOf('DeadLetterPage', deadLetter);
