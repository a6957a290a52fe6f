import {
  listedVersion,
  pluginUpgrade,
  pluginVersion,
  presenter,
  upgradePlan,
  versionName,
  type PathParams,
  type pluginVersionEndpoints,
  type WirePluginVersion,
} from '@plugin-config/contract';
import {
  invalidInput,
  notFound,
  planUpgrade,
  registerVersion,
  type PluginVersion,
  type UpgradePlan,
} from '@plugin-config/domain';
import { accessOf, sendJson, sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../endpoints/handler.ts';
import { pathPlugin } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Services } from '../services.ts';

export function pluginVersionHandlers(dependencies: Services): Handlers<typeof pluginVersionEndpoints> {
  const { pluginVersions, upgrades, baseUrl } = dependencies;
  return {
    listPluginVersions: async ({ request, reply, query: page }) => {
      const { projectIds } = accessOf(request).key;
      const found = await pluginVersions.page(pathPlugin(request), projectIds, page);
      if (found === null) throw notFound();
      await sendPage({ reply, baseUrl, page }, found, presentListed);
    },

    registerPluginVersion: async ({ request, reply, body, author }) => {
      const version = pathVersion(request);
      if (version === null)
        throw invalidInput(
          'version',
          'A version begins with a letter or digit, and has at most 64 of A-Z a-z 0-9 . _ + ~ -',
        );
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

    planUpgrade: async ({ request, reply }) => {
      const version = pathVersion(request);
      if (version === null) throw notFound();
      const plan = await planUpgrade(dependencies, {
        plugin: pathPlugin(request),
        version,
        at: accessOf(request).at,
      });
      await reply.header('cache-control', 'no-store').send(presentPlan(plan));
    },

    upgradeRecords: async ({ request, reply, body, author }) => {
      const version = pathVersion(request);
      const started =
        version === null ? null : await upgrades.start(pathPlugin(request), version, body, author);
      if (started === null) throw notFound();
      const { plugin } = started;
      const location = `${baseUrl(request)}/api/plugins/${plugin}/versions/${version}/upgrade`;
      sendJson(reply.code(202).header('location', location), presentUpgrade(started));
    },

    retrieveUpgrade: async ({ request, reply }) => {
      const version = pathVersion(request);
      const found = version === null ? null : await upgrades.find(pathPlugin(request), version);
      if (found === null) throw notFound();
      await sendRead(reply, presentUpgrade(found));
    },

    cancelUpgrade: async ({ request, reply, author }) => {
      const version = pathVersion(request);
      const last = version === null ? null : await upgrades.cancel(pathPlugin(request), version, author);
      if (last === null) throw notFound();
      await reply.code(204).send();
    },
  };
}

/** Returns the version in the path; null if it is malformed. */
function pathVersion({ params }: FastifyRequest): string | null {
  return versionName.safeParse((params as PathParams).version).data ?? null;
}

const presentPlan = presenter(upgradePlan, {
  up_to_date: (plan: UpgradePlan) => plan.up_to_date,
  needs_input: (plan: UpgradePlan) => plan.needs_input,
});

const migrations = (version: PluginVersion) => version.migrations as WirePluginVersion['migrations'];

const present = presenter(pluginVersion, { migrations });
const presentListed = presenter(listedVersion, { migrations });

const presentUpgrade = presenter(pluginUpgrade);
