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
    source: word.meta({ description: '`SYSTEM`, `PLUGIN`, `CONSOLE` or another word of that form.' }),
    type: word.meta({ description: '`DEBUG`, `LOG`, `INFO`, `WARN`, `ERROR` or another word of that form.' }),
    message: responseMessage,
    instance_id: uuid,
  })
  .meta({
    id: 'LogEntry',
    description: "One line of a plugin config's log.",
    examples: [
      {
        id: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
        team_id: 1,
        plugin_id: 7,
        plugin_config_id: 42,
        timestamp: '2026-03-01T09:30:00.000Z',
        source: 'SYSTEM',
        type: 'DEBUG',
        message: 'Plugin loaded',
        instance_id: '0197a3f0-1111-7222-8333-944455556666',
      },
    ],
  });

export const logEntryPage = z
  .object({
    ...pageEnvelope,
    offset: natural().optional().meta({ description: 'Offset of the page; present only with `around`.' }),
    results: z.array(logEntry).meta({ maxItems: PAGE_MAX }),
  })
  .meta({ id: 'LogEntryPage', description: 'One page of a list.' });
