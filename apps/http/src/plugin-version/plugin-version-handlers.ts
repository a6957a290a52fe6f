import {
  pluginVersion,
  presenter,
  type PathParams,
  type pluginVersionEndpoints,
  type WirePluginVersion,
} from '@plugin-config/contract';
import {
  invalidInput,
  notFound,
  PLUGIN_VERSION,
  registerVersion,
  type PayloadSchemas,
  type PluginVersion,
  type PluginVersionStore,
} from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { pathPlugin } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';

interface Dependencies {
  readonly pluginVersions: PluginVersionStore;
  readonly payloads: PayloadSchemas;
  readonly baseUrl: BaseUrl;
}

export function pluginVersionHandlers({
  pluginVersions,
  payloads,
  baseUrl,
}: Dependencies): Handlers<typeof pluginVersionEndpoints> {
  return {
    listPluginVersions: async ({ request, reply, query: page }) => {
      const found = await pluginVersions.page(pathPlugin(request), page);
      if (found === null) throw notFound();
      await sendPage({ reply, baseUrl, page }, found, present);
    },

    registerPluginVersion: async ({ request, reply, body, author }) => {
      const version = pathVersion(request);
      if (version === null)
        throw invalidInput(
          'version',
          'A version begins with a letter or digit, and has at most 64 of A-Z a-z 0-9 . _ + ~ -',
        );
      const dependencies = { pluginVersions, payloads };
      const stored = await registerVersion(dependencies, pathPlugin(request), { version, ...body }, author);
      if (stored === null) throw notFound();
      await reply.header('cache-control', 'no-store').send(present(stored));
    },

    updatePluginVersion: async ({ request, reply, body, author }) => {
      const version = pathVersion(request);
      const changed =
        version === null ? null : await pluginVersions.change(pathPlugin(request), version, body, author);
      if (changed === null) throw notFound();
      await reply.header('cache-control', 'no-store').send(present(changed));
    },
  };
}

const WHOLE_VERSION = new RegExp(`^${PLUGIN_VERSION}$`);

/** Returns the version in the path; null if it is malformed. */
function pathVersion({ params }: FastifyRequest): string | null {
  const { version = '' } = params as PathParams;
  return WHOLE_VERSION.test(version) ? version : null;
}

const present = presenter(pluginVersion, {
  migrations: (version: PluginVersion) => version.migrations as WirePluginVersion['migrations'],
});
