import * as z from 'zod';
import { natural } from './integer.ts';
import { json } from './json.ts';
import { pageOf } from './page.ts';
import { shownText } from './shown-text.ts';

const NAME_MAX = 400;
const TEXT_MAX = 10_000;
const ADDRESS_MAX = 2000;
const KEY_MAX = 200;
const FIELDS_MAX = 500;

const field = z.object({
  key: shownText(KEY_MAX),
  type: z.enum(['string', 'number', 'boolean', 'choice', 'json']),
  name: shownText(NAME_MAX).optional(),
  default: json.optional(),
  required: z.boolean().optional(),
  choices: z.array(shownText(NAME_MAX)).meta({ maxItems: FIELDS_MAX }).optional(),
  secret: z.boolean().optional(),
  site: z.boolean().optional(),
  hint: shownText(TEXT_MAX).optional(),
});

export const registeredPlugin = z
  .object({
    id: natural(),
    name: shownText(NAME_MAX),
    description: shownText(TEXT_MAX).optional(),
    url: shownText(ADDRESS_MAX).optional(),
    icon: shownText(ADDRESS_MAX).optional(),
    config_schema: z.array(field).optional().meta({
      maxItems: FIELDS_MAX,
      description: 'As registered, but for the defaults of secrets, which are left out.',
    }),
  })
  .meta({
    id: 'RegisteredPlugin',
    description: 'A plugin as it is registered.',
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
