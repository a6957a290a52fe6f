import { apiKey, ownKey, presenter, type WireAccessToken, type WireNewApiKey } from '@plugin-config/contract';
import {
  DomainError,
  invalidCredential,
  issueAccessToken,
  issueApiKey,
  NO_PROJECT,
  notFound,
  pluginIdsOf,
  powersOf,
  projectIdsOf,
  TOKEN_SECONDS,
  type ApiKey,
  type ApiKeyStore,
  type Subject,
} from '@plugin-config/domain';
import { accessOf, rateLimiter, sendRead, sendJson, sendNothing } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathId } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { HandlersOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

/** Sends the key of the request or of its session. */
export async function sendOwnKey(
  keys: Pick<ApiKeyStore, 'find'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const { key: granted, actor } = accessOf(request);
  const key = await keys.find(granted.id);
  if (key === null) throw invalidCredential();
  await sendRead(reply, presentOwnKey({ ...key, ...granted, subject: actor.subject }));
}

export function keyHandlers({
  keys,
  projects,
  plugins,
  accessTokens,
  baseUrl,
  ...issuing
}: Services): HandlersOf<'retrieveOwnKey' | 'listKeys' | 'createKey' | 'revokeKey' | 'createToken'> {
  const idsIn = (refs: readonly (number | string)[]) => projectIdsOf({ projects }, refs);
  const countToken = tokensPerAccount();
  return {
    retrieveOwnKey: async (call) => sendOwnKey(keys, call),

    listKeys: async ({ request, reply, query: page }) => {
      const found = await keys.list(page, powersOf(accessOf(request).key));
      await sendPage({ reply, baseUrl, page }, found, presentKey);
    },

    createKey: async ({ request, reply, body, author }) => {
      const issuer = accessOf(request).key;
      const powers = powersOf(issuer);
      const { label, scopes, projectIds = powers.projectIds, expiresAt = powers.expiresAt } = body;
      const { accountId = null } = body;
      const ids = projectIds === null ? [] : await idsIn(projectIds);
      const pluginIds = await pluginIdsOf({ plugins }, body.pluginIds ?? [], 'plugin_ids');
      const requested = { label, scopes, projectIds: ids, pluginIds, expiresAt, accountId };
      const { key, token } = await issueApiKey({ keys, ...issuing }, { request: requested, issuer, author });
      const response: WireNewApiKey = { ...presentKey(key), token };
      sendJson(reply.code(201), response);
    },

    createToken: async ({ request, reply, body }) => {
      const { key: issuer, keyHash, at } = accessOf(request);
      countToken(issuer.accountId);
      const { scopes, subject = null, expiresIn = TOKEN_SECONDS.default } = body;
      const projectIds = body.projectIds === undefined ? undefined : await idsIn(body.projectIds ?? []);
      if (projectIds?.includes(NO_PROJECT)) throw noSuchProject();
      const pluginIds =
        body.pluginIds === undefined
          ? undefined
          : await pluginIdsOf({ plugins }, body.pluginIds ?? [], 'plugin_ids');
      const requested = {
        scopes,
        projectIds,
        pluginIds,
        subject: subjectOf(subject),
        expiresInSeconds: expiresIn,
      };
      const token = issueAccessToken({ request: requested, issuer, keyHash, at });
      const response: WireAccessToken = {
        token: accessTokens.sign(token),
        expires_at: token.expiresAt.toISOString(),
      };
      sendJson(reply.code(201).header('cache-control', 'no-store'), response);
    },

    revokeKey: async ({ request, reply, author }) => {
      const powers = powersOf(accessOf(request).key);
      if (!(await keys.revoke(pathId(request, 'key_id'), powers, author))) throw notFound();
      sendNothing(reply);
    },
  };
}

/** The tokens that an account can issue per second. */
const TOKENS_PER_SECOND = 100;

/** Limits the tokens of each account, in the memory of the process. The returned function counts one, or throws `throttled`. */
function tokensPerAccount(): (accountId: number) => void {
  const { count } = rateLimiter({ perMinute: 60 * TOKENS_PER_SECOND, burst: TOKENS_PER_SECOND });
  return (accountId) => {
    const { waitSeconds } = count(accountId, performance.now());
    if (waitSeconds === null) return;
    const message = `An account can issue ${TOKENS_PER_SECOND} tokens a second. Try again in ${waitSeconds} seconds.`;
    throw new DomainError('throttled', message, { retryAfterSeconds: waitSeconds });
  };
}

function subjectOf(sent: { readonly id: string; readonly name?: string | undefined } | null): Subject | null {
  return sent && { id: sent.id, ...(sent.name !== undefined && { name: sent.name }) };
}

function noSuchProject(): DomainError {
  return new DomainError('does_not_exist', 'No such project.', { attr: 'project_ids' });
}

const projectIdsOfKey = ({ projectIds }: ApiKey): readonly number[] | null =>
  projectIds.length === 0 ? null : projectIds;

const pluginIdsOfKey = ({ pluginIds }: ApiKey): readonly number[] | null =>
  pluginIds.length === 0 ? null : pluginIds;

const LIMITS = { project_ids: projectIdsOfKey, plugin_ids: pluginIdsOfKey };

const presentOwnKey = presenter(ownKey, LIMITS);
const presentKey = presenter(apiKey, LIMITS);
