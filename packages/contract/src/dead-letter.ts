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
    reason: responseText(WORDS_MAX).meta({ description: 'Why it could not be stored, as a code.' }),
    detail: responseText(WORDS_MAX).meta({ description: 'The reason as a sentence.' }),
    received_at: moment,
    channel: responseText(WORDS_MAX).meta({ description: 'How it arrived, such as `http` or `jetstream`.' }),
    text: responseText(SHOWN_TEXT_MAX).meta({
      description: `The first ${SHOWN_TEXT_MAX} characters of the message.`,
    }),
  })
  .meta({
    id: 'DeadLetter',
    description: 'A message that could not be stored.',
    examples: [
      {
        id: 17,
        plugin_config_id: 42,
        reason: 'invalid_message',
        detail: '`message` must be a string.',
        received_at: '2026-03-02T18:04:11.250Z',
        channel: 'http',
        text: '{"plugin_config_id": 42}',
      },
    ],
  });

export const deadLetterPage = pageOf('DeadLetterPage', deadLetter);
