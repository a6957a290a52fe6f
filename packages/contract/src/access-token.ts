import * as z from 'zod';
import { KEY_PLUGINS_MAX, LABEL_MAX, SCOPES, TOKEN_SECONDS } from '@plugin-config/domain/vocabulary';
import { projectRefs, scope } from './api-key.ts';
import { camelCased } from './camel-case.ts';
import { integer } from './integer.ts';
import { moment } from './moment.ts';
import { pluginRef } from './record-fields.ts';
import { filledText } from './text.ts';

/** More would not fit into a header. */
const PROJECTS_MAX = 100;
const TOKEN_MAX = 12_000;

/** Unknown fields are rejected: a misspelt `project_ids` would give access to all projects of the key. */
export const accessTokenBody = z
  .strictObject({
    scopes: z.array(scope).min(1).max(SCOPES.length).meta({ description: 'All but `key:write`.' }),
    project_ids: projectRefs(PROJECTS_MAX),
    plugin_ids: z.array(pluginRef).min(1).max(KEY_PLUGINS_MAX).nullish().meta({
      description: 'Ids, or `slug:` and the slug, as for a key. Defaults to the plugins of the calling key.',
    }),
    subject: z
      .strictObject({ id: filledText(LABEL_MAX), name: filledText(LABEL_MAX).optional() })
      .nullish()
      .meta({
        description:
          'For whom the token is, in your words. Histories and the audit log show it as part of the actor.',
      }),
    expires_in: integer(TOKEN_SECONDS)
      .optional()
      .meta({
        description: `Seconds until the token expires. Defaults to ${TOKEN_SECONDS.default}.`,
      }),
  })
  .transform((body) => camelCased({})(body))
  .meta({
    id: 'CreateAccessToken',
    description: 'What the token grants, which cannot exceed what the calling key grants.',
  });

export const accessToken = z
  .object({
    token: z.string().meta({
      pattern: String.raw`^pct_[\w-]+\.[\w-]{43}$`,
      maxLength: TOKEN_MAX,
      description: 'Is sent like a key: `Authorization: Bearer <token>`.',
    }),
    expires_at: moment.meta({ description: 'Never later than the calling key expires.' }),
  })
  .meta({
    id: 'AccessToken',
    description: 'A short-lived token of the calling key.',
  });

export type WireAccessToken = z.infer<typeof accessToken>;
