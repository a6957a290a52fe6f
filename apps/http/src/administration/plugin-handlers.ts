import {
  attachedRecord,
  presenter,
  registeredPlugin,
  registrationResult,
  type administrationEndpoints,
} from '@plugin-config/contract';
import { notFound, registerPlugin, type PluginStore } from '@plugin-config/domain';
import { accessOf, sendRead, sendNothing } from '@plugin-config/server';
import { pathId } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface PluginDependencies {
  readonly plugins: PluginStore;
  readonly baseUrl: BaseUrl;
}

type Endpoints = Pick<
  typeof administrationEndpoints,
  'listPlugins' | 'retrievePlugin' | 'registerPlugin' | 'listPluginRecords' | 'removePlugin'
>;

export function pluginHandlers({ plugins, baseUrl }: PluginDependencies): Handlers<Endpoints> {
  return {
    listPlugins: async ({ reply, query: page }) => {
      const found = await plugins.page(page);
      await sendPage({ reply, baseUrl, page }, found, presentPlugin);
    },

    retrievePlugin: async ({ request, reply }) => {
      const id = pathId(request, 'plugin_id');
      const plugin = await plugins.find(id);
      if (plugin === null) throw notFound();
      await sendRead(reply, presentPlugin(plugin));
    },

    registerPlugin: async ({ request, reply, body, author }) => {
      const id = pathId(request, 'plugin_id');
      const plugin = await registerPlugin({ plugins }, { id, ...body }, author);
      await reply.header('cache-control', 'no-store').send(presentRegistration(plugin));
    },

    listPluginRecords: async ({ request, reply, query: { valid, ...page } }) => {
      const { projectIds } = accessOf(request).key;
      const found = await plugins.records(pathId(request, 'plugin_id'), { projectIds, valid }, page);
      await sendPage({ reply, baseUrl, page }, found, presentAttached);
    },

    removePlugin: async ({ request, reply, author }) => {
      if (!(await plugins.remove(pathId(request, 'plugin_id'), author))) throw notFound();
      sendNothing(reply);
    },
  };
}

const presentPlugin = presenter(registeredPlugin);
const presentRegistration = presenter(registrationResult);
const presentAttached = presenter(attachedRecord);
