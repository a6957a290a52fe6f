import type { Author } from '../kernel/author.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { checkLabel } from '../kernel/text.ts';
import { accountOfIssued, newToken, type ApiKey, type KeyGrant, type Token } from './api-key.ts';
import type { ApiKeyStore, TokenHasher } from './api-key-store.ts';
import { checkWithin, powersOf } from './powers.ts';
import { LABEL_MAX, PLUGIN_SCOPES, type Scope } from '../vocabulary/vocabulary.ts';

interface Dependencies {
  readonly keys: Pick<ApiKeyStore, 'add'>;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
}

export interface KeyIssue {
  readonly request: Pick<ApiKey, 'label' | 'scopes' | 'projectIds' | 'pluginIds' | 'expiresAt'> & {
    /** The account to join; null for that of the issuer or of the keys with the same projects. */
    readonly accountId: number | null;
  };
  /** Null for the operator, who may grant everything. */
  readonly issuer: Pick<KeyGrant, 'accountId' | 'scopes' | 'projectIds' | 'expiresAt'> | null;
  readonly author: Author;
}

/** Issues a key. This is the only time its token is available: the store keeps only the hash. */
export async function issueApiKey(
  { keys, hasher, randomness }: Dependencies,
  { request, issuer, author }: KeyIssue,
): Promise<{ readonly key: ApiKey; readonly token: Token }> {
  const { projectIds, expiresAt } = request;
  const label = keyLabel(request.label);
  const scopes = [...new Set(request.scopes)];
  if (scopes.length === 0) throw new DomainError('required', 'A key needs a scope.', { attr: 'scopes' });
  if (expiresAt !== null && expiresAt <= author.at) {
    throw invalidInput('expires_at', 'This time is in the past.');
  }
  const pluginIds = [...new Set(request.pluginIds)].toSorted((a, b) => a - b);
  if (pluginIds.length > 0) checkPluginScopes(scopes);
  const wanted = { label, scopes, projectIds: [...new Set(projectIds)], pluginIds, expiresAt };
  if (issuer !== null) checkWithin(powersOf(issuer), wanted);
  const issuerAccount = accountOfIssued(issuer);
  const accountId = request.accountId ?? issuerAccount;
  if (issuerAccount !== null && accountId !== issuerAccount)
    throw new DomainError('not_granted', 'This key can only issue keys of its own account.', {
      attr: 'account_id',
    });
  const token = newToken(randomness);
  const key = await keys.add(
    { ...wanted, accountId, createdAt: author.at, hash: hasher.hash(token) },
    author,
  );
  return { key, token };
}

/** @throws DomainError `invalid_input` if one of the scopes cannot be narrowed to the records of plugins */
export function checkPluginScopes(scopes: readonly Scope[]): void {
  const allowed: readonly Scope[] = PLUGIN_SCOPES;
  const other = scopes.find((scope) => !allowed.includes(scope));
  if (other === undefined) return;
  const message = `A key or token that is limited to plugins can only have the scopes ${PLUGIN_SCOPES.join(' and ')}, not '${other}'.`;
  throw invalidInput('plugin_ids', message);
}

export function keyLabel(text: string): string {
  const label = text.trim();
  if (label === '') throw new DomainError('blank', 'A key needs a label.', { attr: 'label' });
  checkLabel(label, { attr: 'label', max: LABEL_MAX });
  return label;
}
