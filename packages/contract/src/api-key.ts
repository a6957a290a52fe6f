import * as z from 'zod';
import {
  INTEGER_MAX,
  KEY_PLUGINS_MAX,
  LABEL_MAX,
  PLUGIN_SCOPES,
  SCOPES,
} from '@plugin-config/domain/vocabulary';
import { actorSubject } from './activity.ts';
import { camelCased } from './camel-case.ts';
import { natural } from './integer.ts';
import { moment, sentMoment } from './moment.ts';
import { pageOf } from './page.ts';
import { externalRef, PROJECT_EXPECTED } from './path-params.ts';
import { pluginRef } from './record-fields.ts';
import { responseText } from './response-text.ts';
import { filledText } from './text.ts';

const PROJECTS_MAX = 1000;

export const scope = z.enum(SCOPES);

export const scopes = z.array(scope).meta({
  maxItems: SCOPES.length,
  description: '`*` includes all other scopes.',
  examples: [['plugin:write']],
});
export const projectIds = z
  .array(natural())
  .nullable()
  .meta({ maxItems: INTEGER_MAX, description: 'The projects that the key can access; null means all.' });
export const pluginIds = z.array(natural()).nullable().meta({
  maxItems: KEY_PLUGINS_MAX,
  description: 'The plugins whose records the key sees; null means all.',
});

const ownKeyFields = {
  id: natural(),
  account_id: natural().meta({
    description: 'The account of the key. All keys of an account share its limits.',
  }),
  label: responseText(LABEL_MAX).meta({ examples: ['deploy script'] }),
  scopes,
  project_ids: projectIds,
  plugin_ids: pluginIds,
  created_at: moment,
  expires_at: moment.nullable().meta({ description: 'Null if the key does not expire.' }),
};

const ownSubject = actorSubject.optional().meta({
  description: 'For whom the token of the request is; absent if it is a key or has no subject.',
});

export const ownKey = z.object({ ...ownKeyFields, subject: ownSubject }).meta({
  id: 'OwnApiKey',
  description: 'The key of the request; with a token of the key, what the token grants.',
});

export const apiKey = z
  .object({ ...ownKeyFields, last_used_at: moment.nullable(), revoked_at: moment.nullable() })
  .meta({
    id: 'ApiKey',
    description: 'A key without its token.',
  });

export const apiKeyPage = pageOf('ApiKeyPage', apiKey);

export const newApiKey = z
  .object({
    ...apiKey.shape,
    token: z.string().meta({
      pattern: '^phx_[0-9A-Za-z]{43}$',
      maxLength: 47,
      description: 'The token. It is returned only here, once.',
    }),
  })
  .meta({ id: 'NewApiKey', description: 'A new key with its token.' });

export const projectRefs = (max = PROJECTS_MAX) =>
  z
    .array(z.union([natural(), externalRef], PROJECT_EXPECTED))
    .min(1)
    .max(max)
    .nullish()
    .meta({
      description:
        'Ids, or `ext:` and the external id. Null means all. Defaults to the projects of the calling key.',
    });

/** Unknown fields are rejected: a misspelt `project_ids` would give access to all projects. */
export const apiKeyBody = z
  .strictObject({
    label: filledText(LABEL_MAX).meta({ description: 'The owner or purpose of the key.' }),
    scopes: z.array(scope).min(1).max(SCOPES.length),
    project_ids: projectRefs(),
    plugin_ids: z
      .array(pluginRef)
      .min(1)
      .max(KEY_PLUGINS_MAX)
      .nullish()
      .meta({
        description:
          'Ids, or `slug:` and the slug, which is looked up now. Null means all. The key sees the records of these plugins alone, ' +
          `and can only have the scopes ${PLUGIN_SCOPES.map((one) => `\`${one}\``).join(' and ')}.`,
      }),
    expires_at: sentMoment
      .nullish()
      .meta({ description: 'Null means never. Defaults to the expiry of the calling key.' }),
    account_id: natural().nullish().meta({
      description:
        'The account that the key joins. Defaults to that of a calling key bound to projects, otherwise to that of the keys bound to the same projects, otherwise to a new one.',
    }),
  })
  .transform((body) => camelCased({})(body))
  .meta({
    id: 'CreateApiKey',
    description: 'The permissions of the new key, which cannot exceed those of the calling key.',
  });

export type WireNewApiKey = z.infer<typeof newApiKey>;
