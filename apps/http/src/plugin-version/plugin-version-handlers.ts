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
  type DomainError,
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
      const version = pathVersion(request, malformed);
      const stored = await registerVersion(dependencies, pathPlugin(request), { version, ...body }, author);
      if (stored === null) throw notFound();
      await reply.header('cache-control', 'no-store').send(present(stored));
    },

    updatePluginVersion: async ({ request, reply, body, author }) => {
      const changed = await pluginVersions.change(pathPlugin(request), pathVersion(request), body, author);
      if (changed === null) throw notFound();
      await reply.header('cache-control', 'no-store').send(present(changed));
    },

    planUpgrade: async ({ request, reply }) => {
      const target = { plugin: pathPlugin(request), version: pathVersion(request) };
      const plan = await planUpgrade(dependencies, { ...target, at: accessOf(request).at });
      await reply.header('cache-control', 'no-store').send(presentPlan(plan));
    },

    upgradeRecords: async ({ request, reply, body, author }) => {
      const version = pathVersion(request);
      const started = await upgrades.start(pathPlugin(request), version, body, author);
      if (started === null) throw notFound();
      const { plugin } = started;
      const location = `${baseUrl(request)}/api/plugins/${plugin}/versions/${version}/upgrade`;
      sendJson(reply.code(202).header('location', location), presentUpgrade(started));
    },

    retrieveUpgrade: async ({ request, reply }) => {
      const found = await upgrades.find(pathPlugin(request), pathVersion(request));
      if (found === null) throw notFound();
      await sendRead(reply, presentUpgrade(found));
    },

    cancelUpgrade: async ({ request, reply, author }) => {
      const last = await upgrades.cancel(pathPlugin(request), pathVersion(request), author);
      if (last === null) throw notFound();
      await reply.code(204).send();
    },
  };
}

/** Returns the version in the path. By default, a malformed one is not found. */
function pathVersion({ params }: FastifyRequest, rejection = notFound): string {
  const { data } = versionName.safeParse((params as PathParams).version);
  if (data === undefined) throw rejection();
  return data;
}

function malformed(): DomainError {
  const message = 'A version begins with a letter or digit, and has at most 64 of A-Z a-z 0-9 . _ + ~ -';
  return invalidInput('version', message);
}

const presentPlan = presenter(upgradePlan, {
  up_to_date: (plan: UpgradePlan) => plan.up_to_date,
  needs_input: (plan: UpgradePlan) => plan.needs_input,
});

const migrations = (version: PluginVersion) => version.migrations as WirePluginVersion['migrations'];

const present = presenter(pluginVersion, { migrations });
const presentListed = presenter(listedVersion, { migrations });

const presentUpgrade = presenter(pluginUpgrade);
