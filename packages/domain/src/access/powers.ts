import { DomainError } from '../kernel/domain-error.ts';
import { grantsScope, type ApiKey } from './api-key.ts';
import { type Scope, SCOPES } from '../vocabulary/vocabulary.ts';

/** The permissions that a key may grant to other keys: at most its own. */
export interface Powers {
  /** All its scopes, including implied scopes. */
  readonly scopes: readonly Scope[];
  /** Empty means all projects. */
  readonly projectIds: readonly number[];
  /** Null means no expiry. */
  readonly expiresAt: Date | null;
}

type Given = Pick<ApiKey, 'scopes' | 'projectIds' | 'expiresAt'>;

export function powersOf({ scopes, projectIds, expiresAt }: Given): Powers {
  return { scopes: SCOPES.filter((scope) => grantsScope(scopes, scope)), projectIds, expiresAt };
}

/** Whether a key with these powers could issue this one, and may therefore see and revoke it. */
export function canIssue(powers: Powers, key: Given): boolean {
  return whyNotWithin(powers, key) === null;
}

/** @throws DomainError `not_granted` if the new key would have more powers than its issuer */
export function checkWithin(powers: Powers, key: Given): void {
  const reason = whyNotWithin(powers, key);
  if (reason !== null) throw new DomainError('not_granted', reason.message, { attr: reason.attr });
}

function whyNotWithin(
  { scopes, projectIds, expiresAt }: Powers,
  key: Given,
): { readonly attr: string; readonly message: string } | null {
  const scope = key.scopes.find((one) => !scopes.includes(one));
  if (scope !== undefined) return { attr: 'scopes', message: `This key cannot grant the scope '${scope}'.` };
  if (projectIds.length > 0) {
    if (key.projectIds.length === 0) {
      return { attr: 'project_ids', message: 'This key cannot grant access to all projects.' };
    }
    if (key.projectIds.some((id) => !projectIds.includes(id))) {
      return { attr: 'project_ids', message: 'This key cannot grant access to all of these projects.' };
    }
  }
  if (expiresAt !== null && (key.expiresAt === null || key.expiresAt > expiresAt)) {
    return { attr: 'expires_at', message: 'This key cannot grant access beyond its own expiry.' };
  }
  return null;
}
