import * as z from 'zod';
import { LABEL_MAX, SCOPES, TRUST_LIMITS } from '@plugin-config/domain/vocabulary';
import { accessToken } from './access-token.ts';
import { projectIds, projectRefs, scope, scopes } from './api-key.ts';
import { boundedMap } from './bounded-map.ts';
import { camelCased } from './camel-case.ts';
import { integer, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { responseText } from './response-text.ts';
import { filledText, STORABLE } from './text.ts';

const { value: VALUE_MAX, minutes: MINUTES } = TRUST_LIMITS;
const CLAIM_NAME_MAX = 100;

const claims = boundedMap(
  filledText(CLAIM_NAME_MAX),
  z.array(filledText(VALUE_MAX)).min(1).max(TRUST_LIMITS.values),
  TRUST_LIMITS.claims,
);

const fields = {
  name: filledText(LABEL_MAX).meta({
    description: 'Is shown as the actor of what its tokens do.',
    examples: ['Deploy from main'],
  }),
  issuer: filledText(VALUE_MAX).meta({
    description:
      'The issuer, exactly as in its tokens (`iss`). Its keys are found by OpenID Connect Discovery.',
    examples: ['https://token.actions.githubusercontent.com'],
  }),
  audience: filledText(VALUE_MAX).meta({
    description: 'The audience that tokens must have (`aud`): the address of this service, for instance.',
    examples: ['https://plugins.example.com'],
  }),
  claims: claims.meta({
    additionalProperties: {
      type: 'array',
      maxItems: TRUST_LIMITS.values,
      items: { type: 'string', maxLength: VALUE_MAX, pattern: STORABLE },
    },
    description:
      'The accepted values of each claim, which match exactly. At least one claim must be an id, which nobody can rename: its name ' +
      'ends in `_id`, or is `sub`, but not for GitHub.',
    examples: [{ repository_id: ['123456789'], environment: ['production'] }],
  }),
  scopes: z.array(scope).min(1).max(SCOPES.length).meta({ description: 'All but `key:write`.' }),
  project_ids: projectRefs(),
  max_minutes: integer(MINUTES).meta({ description: 'How long its tokens live.' }),
};

export const trust = z
  .object({
    id: natural(),
    ...fields,
    scopes,
    project_ids: projectIds,
    created_at: moment,
    expires_at: moment
      .nullable()
      .meta({ description: 'That of the key that created it; null if it does not expire.' }),
    last_used_at: moment.nullable(),
  })
  .meta({
    id: 'Trust',
    description: 'Which tokens of an identity provider are exchanged, and for what.',
  });

export const trustPage = pageOf('TrustPage', trust);

/** Unknown fields are rejected: a misspelt `project_ids` would give access to all projects. */
export const trustBody = z
  .strictObject({ ...fields, max_minutes: fields.max_minutes.default(MINUTES.default) })
  .transform((body) => camelCased({})(body))
  .meta({ id: 'CreateTrust', description: 'What the trust accepts and grants.' });

export const trustChange = z
  .strictObject(fields)
  .partial()
  .transform((body) => camelCased({})(body))
  .meta({
    id: 'ChangeTrust',
    description: 'The fields to change. Any change ends the tokens that were issued.',
  });

/** The longest token of an identity provider, and form of an exchange, that are read. */
export const ID_TOKEN_MAX = 16 * 1024;

export const tokenExchange = z
  .object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange'),
    subject_token: z
      .string()
      .min(1)
      .max(ID_TOKEN_MAX)
      .meta({ pattern: STORABLE, description: 'The token of the identity provider.' }),
    subject_token_type: z.enum([
      'urn:ietf:params:oauth:token-type:id_token',
      'urn:ietf:params:oauth:token-type:jwt',
    ]),
    trust: z
      .string()
      .regex(/^[1-9]\d{0,15}$/)
      .meta({ maxLength: 16, description: 'Identifier of the trust.', example: '12' }),
  })
  .meta({ id: 'TokenExchange', description: 'A token exchange of RFC 8693.' });

export const exchangedToken = z
  .object({
    access_token: accessToken.shape.token,
    issued_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token'),
    token_type: z.literal('Bearer'),
    expires_in: integer({ min: 0, max: 3600 }).meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'ExchangedToken', description: 'A short-lived token of the trust.' });

export const EXCHANGE_ERRORS = [
  'invalid_request',
  'invalid_grant',
  'unsupported_grant_type',
  'slow_down',
  'temporarily_unavailable',
  'server_error',
] as const;

export type ExchangeError = (typeof EXCHANGE_ERRORS)[number];

export const exchangeRejection = z
  .object({
    error: z.enum(EXCHANGE_ERRORS),
    error_description: responseText(1000),
  })
  .meta({ id: 'ExchangeRejection', description: 'An error in the form of RFC 6749.' });

export type WireExchangedToken = z.infer<typeof exchangedToken>;
export type WireExchangeRejection = z.infer<typeof exchangeRejection>;
