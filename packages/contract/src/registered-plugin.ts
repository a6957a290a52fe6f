import * as z from 'zod';
import { natural } from './integer.ts';
import { json } from './json.ts';
import { pageOf } from './page.ts';
import { responseText } from './response-text.ts';

const NAME_MAX = 400;
const TEXT_MAX = 10_000;
const ADDRESS_MAX = 2000;
const KEY_MAX = 200;
const FIELDS_MAX = 500;

const field = z.object({
  key: responseText(KEY_MAX),
  type: z.enum(['string', 'number', 'boolean', 'choice', 'json']),
  name: responseText(NAME_MAX).optional(),
  default: json.optional(),
  required: z.boolean().optional(),
  choices: z.array(responseText(NAME_MAX)).meta({ maxItems: FIELDS_MAX }).optional(),
  secret: z.boolean().optional().meta({ description: 'Whether values are masked.' }),
  site: z.boolean().optional().meta({ description: 'Whether browsers may see values.' }),
  hint: responseText(TEXT_MAX).optional(),
});

export const registeredPlugin = z
  .object({
    id: natural(),
    name: responseText(NAME_MAX),
    description: responseText(TEXT_MAX).optional(),
    url: responseText(ADDRESS_MAX).optional(),
    icon: responseText(ADDRESS_MAX).optional(),
    config_schema: z.array(field).optional().meta({
      maxItems: FIELDS_MAX,
      description: 'As registered, without the defaults of secrets.',
    }),
  })
  .meta({
    id: 'RegisteredPlugin',
    description: 'A registered plugin.',
    examples: [
      {
        id: 8,
        name: 'Webhook',
        url: 'https://example.com',
        config_schema: [{ key: 'retry', type: 'boolean', default: true }],
      },
    ],
  });

export const registeredPluginPage = pageOf('RegisteredPluginPage', registeredPlugin);

export type WireRegisteredPlugin = z.infer<typeof registeredPlugin>;
export type WireRegisteredPluginPage = z.infer<typeof registeredPluginPage>;
