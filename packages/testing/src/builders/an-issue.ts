import type { ApiKey, KeyIssue } from '@plugin-config/domain';
import { anAuthor, MOMENT } from './an-author.ts';

export interface KeyOrder extends Partial<
  Pick<ApiKey, 'label' | 'scopes' | 'projectIds' | 'pluginIds' | 'accountId'>
> {
  /** Null for a key without expiry. */
  readonly lifetimeMs?: number | null;
}

/** Creates an operator's request for a key, by default with all scopes. */
export function anIssue({ lifetimeMs = null, ...given }: KeyOrder = {}, at: Date = MOMENT): KeyIssue {
  const expiresAt = lifetimeMs === null ? null : new Date(at.getTime() + lifetimeMs);
  const all = { scopes: ['*'], projectIds: [], pluginIds: [] } as const;
  const defaults = { label: 'test', ...all, accountId: null };
  const request = { ...defaults, expiresAt, ...given };
  return { request, issuer: null, author: anAuthor({ at }) };
}
