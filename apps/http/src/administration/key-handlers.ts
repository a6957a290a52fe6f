import {
  apiKey,
  externalIdIn,
  ownKey,
  presenter,
  type administrationEndpoints,
  type WireNewApiKey,
} from '@plugin-config/contract';
import {
  invalidCredential,
  issueApiKey,
  notFound,
  pluginIdsOf,
  powersOf,
  type ApiKey,
  type ApiKeyStore,
  type PluginStore,
  type ProjectStore,
  type Randomness,
  type TokenHasher,
} from '@plugin-config/domain';
import { accessOf, sendRead, sendJson, sendNothing } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathId } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface KeyDependencies {
  readonly keys: ApiKeyStore;
  readonly projects: Pick<ProjectStore, 'idsOf'>;
  readonly plugins: Pick<PluginStore, 'idsOf'>;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly baseUrl: BaseUrl;
}

type Endpoints = Pick<
  typeof administrationEndpoints,
  'retrieveOwnKey' | 'listKeys' | 'createKey' | 'revokeKey'
>;

/** Sends the key of the request or of its session. */
export async function sendOwnKey(
  keys: Pick<ApiKeyStore, 'find'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const key = await keys.find(accessOf(request).key.id);
  if (key === null) throw invalidCredential();
  await sendRead(reply, presentOwnKey(key));
}

export function keyHandlers({
  keys,
  projects,
  plugins,
  baseUrl,
  ...issuing
}: KeyDependencies): Handlers<Endpoints> {
  const idsIn = async (refs: readonly (number | string)[]): Promise<readonly number[]> => {
    const externalIds = refs.flatMap((ref) => (typeof ref === 'string' ? (externalIdIn(ref) ?? []) : []));
    const found = externalIds.length === 0 ? NO_IDS : await projects.idsOf(externalIds);
    return refs.map((ref) =>
      typeof ref === 'string' ? (found.get(externalIdIn(ref) ?? '') ?? NO_PROJECT) : ref,
    );
  };
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

    revokeKey: async ({ request, reply, author }) => {
      const powers = powersOf(accessOf(request).key);
      if (!(await keys.revoke(pathId(request, 'key_id'), powers, author))) throw notFound();
      sendNothing(reply);
    },
  };
}

const NO_IDS: ReadonlyMap<string, number> = new Map();
/** The id of no project, which is rejected like any other that does not exist. */
const NO_PROJECT = 0;

const projectIdsOf = ({ projectIds }: ApiKey): readonly number[] | null =>
  projectIds.length === 0 ? null : projectIds;

const pluginIdsOfKey = ({ pluginIds }: ApiKey): readonly number[] | null =>
  pluginIds.length === 0 ? null : pluginIds;

const LIMITS = { project_ids: projectIdsOf, plugin_ids: pluginIdsOfKey };

const presentOwnKey = presenter(ownKey, LIMITS);
const presentKey = presenter(apiKey, LIMITS);
