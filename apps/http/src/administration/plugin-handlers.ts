import {
  attachedRecord,
  presenter,
  registeredPlugin,
  registrationResult,
  type PathParams,
} from '@plugin-config/contract';
import {
  invalidInput,
  notFound,
  registerPlugin,
  SLUG_PREFIX,
  slugIn,
  slugOf,
  type PluginRef,
} from '@plugin-config/domain';
import { accessOf, sendRead, sendNothing } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { pathPlugin } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { HandlersOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

export function pluginHandlers({
  plugins,
  jsonSchemas,
  baseUrl,
}: Services): HandlersOf<
  'listPlugins' | 'retrievePlugin' | 'registerPlugin' | 'listPluginRecords' | 'removePlugin'
> {
  return {
    listPlugins: async ({ reply, query: page }) => {
      const found = await plugins.page(page);
      await sendPage({ reply, baseUrl, page }, found, presentPlugin);
    },

    retrievePlugin: async ({ request, reply }) => {
      const plugin = await plugins.find(pathPlugin(request));
      if (plugin === null) throw notFound();
      await sendRead(reply, presentPlugin(plugin));
    },

    registerPlugin: async ({ request, reply, body: { slug, ...body }, author }) => {
      const id = pluginToRegister(request);
      if (typeof id === 'string' && slug !== undefined && slug !== slugIn(id))
        throw invalidInput('slug', 'This must be the slug in the path.');
      const plugin = await registerPlugin({ plugins, jsonSchemas }, { id, slug, ...body }, author);
      await reply.header('cache-control', 'no-store').send(presentRegistration(plugin));
    },

    listPluginRecords: async ({ request, reply, query: { valid, outdated, ...page } }) => {
      const { projectIds } = accessOf(request).key;
      const ref = pathPlugin(request);
      const id = typeof ref === 'number' ? ref : (await plugins.idsOf([slugIn(ref)])).get(slugIn(ref));
      if (id === undefined) throw notFound();
      const found = await plugins.records(id, { projectIds, valid, outdated }, page);
      await sendPage({ reply, baseUrl, page }, found, presentAttached);
    },

    removePlugin: async ({ request, reply, author }) => {
      if (!(await plugins.remove(pathPlugin(request), author))) throw notFound();
      sendNothing(reply);
    },
  };
}

/** @throws DomainError `invalid_input` if the path has a malformed slug, which could not be registered */
function pluginToRegister(request: FastifyRequest): PluginRef {
  const { plugin_id: text = '' } = request.params as PathParams;
  if (text.startsWith(SLUG_PREFIX)) return `${SLUG_PREFIX}${slugOf(text.slice(SLUG_PREFIX.length))}`;
  return pathPlugin(request);
}

const presentPlugin = presenter(registeredPlugin);
const presentRegistration = presenter(registrationResult);
const presentAttached = presenter(attachedRecord);
