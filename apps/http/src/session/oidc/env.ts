import { projectRefs, scope } from '@plugin-config/contract';
import { checkIssuer, SCOPES, type AddressRules } from '@plugin-config/domain';
import { CannotStart, setting, type EnvOf } from '@plugin-config/server';
import * as z from 'zod';
import type { OidcSettings } from './oidc.routes.ts';

const TEXT_MAX = 500;
const CLAIM_MAX = 100;
const ROLES_MAX = 100;

/** `project_ids` is required: a role for all projects says so. */
const role = z
  .strictObject({
    value: z.string().min(1).max(TEXT_MAX),
    scopes: z.array(scope).min(1).max(SCOPES.length),
    project_ids: z.nonoptional(projectRefs()),
  })
  .transform(({ project_ids: projectIds, ...rest }) => ({ ...rest, projectIds }));

const roles = z.strictObject({
  claim: z.string().min(1).max(CLAIM_MAX),
  roles: z.array(role).min(1).max(ROLES_MAX),
});

const text = () => z.string().max(TEXT_MAX).nullable().default(null);

/** The settings of the single sign-on of the console. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: setting(text(), 'the issuer of an identity provider, such as https://id.example.com'),
  OIDC_CLIENT_ID: setting(text(), 'the id of a client at the identity provider'),
  OIDC_CLIENT_SECRET: setting(text(), 'the secret of the client at the identity provider'),
  OIDC_ROLES: setting(
    z
      .string()
      .transform((json, context) => {
        try {
          return JSON.parse(json) as unknown;
        } catch {
          context.addIssue('not JSON');
          return z.NEVER;
        }
      })
      .pipe(roles)
      .nullable()
      .default(null),
    'JSON such as {"claim": "groups", "roles": [{"value": "support", "scopes": ["plugin:read"], "project_ids": null}]}',
  ),
  SIGN_IN: setting(z.enum(['any', 'oidc']).default('any'), 'any or oidc'),
} as const;

type OidcEnv = EnvOf<typeof OIDC_SETTINGS> & { readonly PUBLIC_URL: string | null };

/**
 * Returns the settings of the single sign-on; null if it is off.
 * @throws CannotStart if some are missing
 */
export function oidcIn(env: OidcEnv, rules: AddressRules): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const { OIDC_ROLES: roleRules, PUBLIC_URL: publicUrl } = env;
  if (issuer === null) {
    const needs = clientId ?? clientSecret ?? roleRules ?? (env.SIGN_IN === 'oidc' ? 'issuer' : null);
    if (needs === null) return null;
    throw missing('OIDC_ISSUER');
  }
  if (clientId === null) throw missing('OIDC_CLIENT_ID');
  if (clientSecret === null) throw missing('OIDC_CLIENT_SECRET');
  if (roleRules === null) throw missing('OIDC_ROLES');
  if (publicUrl === null) throw new CannotStart('Missing PUBLIC_URL: OIDC_ISSUER needs it.');
  try {
    checkIssuer(issuer, rules);
  } catch (error) {
    throw new CannotStart(`Invalid OIDC_ISSUER: ${(error as Error).message}`);
  }
  return { issuer, clientId, clientSecret, rules: roleRules, publicUrl };
}

function missing(name: keyof typeof OIDC_SETTINGS): CannotStart {
  return new CannotStart(`Missing ${name}: expected ${OIDC_SETTINGS[name].expected}.`);
}
