import * as z from 'zod';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { LOG_WORD, LOG_WORD_MAX } from './log-list-query.ts';
import { PAGE_MAX, pageEnvelope } from './page.ts';
import { responseMessage, uuid } from './response-text.ts';

const word = z.string().meta({ pattern: LOG_WORD.source, maxLength: LOG_WORD_MAX });

export const logEntry = z
  .object({
    id: uuid,
    team_id: natural(),
    plugin_id: natural(),
    plugin_config_id: natural(),
    timestamp: moment,
    source: word.meta({
      description: '`SYSTEM`, `PLUGIN`, `CONSOLE` or another word of that form.',
      examples: ['PLUGIN'],
    }),
    type: word.meta({
      description: '`DEBUG`, `LOG`, `INFO`, `WARN`, `ERROR` or another word of that form.',
      examples: ['INFO'],
    }),
    message: responseMessage.meta({ examples: ['Plugin loaded'] }),
    instance_id: uuid,
  })
  .meta({
    id: 'LogEntry',
    description: "One line of a plugin config's log.",
  });

export const logEntryPage = z
  .object({
    ...pageEnvelope,
    offset: natural().optional().meta({ description: 'Offset of the page; present only with `around`.' }),
    results: z.array(logEntry).meta({ maxItems: PAGE_MAX }),
  })
  .meta({ id: 'LogEntryPage', description: 'One page of a list.' });
