import { presenter, trust, type trustEndpoints } from '@plugin-config/contract';
import {
  changeTrust,
  createTrust,
  notFound,
  powersOf,
  projectIdsOf,
  type Trust,
} from '@plugin-config/domain';
import { accessOf, sendJson, sendNothing } from '@plugin-config/server';
import type { Handlers } from '../endpoints/handler.ts';
import { pathId } from '../requests/path-id.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Services } from '../services.ts';

export function trustHandlers(dependencies: Services): Handlers<typeof trustEndpoints> {
  const { trusts, baseUrl } = dependencies;
  return {
    listTrusts: async ({ request, reply, query: page }) => {
      const found = await trusts.list(page, powersOf(accessOf(request).key));
      await sendPage({ reply, baseUrl, page }, found, presentTrust);
    },

    createTrust: async ({ request, reply, body: { projectIds: refs, ...rest }, author }) => {
      const issuer = accessOf(request).key;
      const projectIds =
        refs === undefined ? issuer.projectIds : await projectIdsOf(dependencies, refs ?? []);
      const created = await createTrust(dependencies, { ...rest, projectIds }, { issuer, author });
      sendJson(reply.code(201), presentTrust(created));
    },

    updateTrust: async ({ request, reply, body: { projectIds: refs, ...rest }, author }) => {
      const issuer = accessOf(request).key;
      const projectIds =
        refs === undefined ? {} : { projectIds: await projectIdsOf(dependencies, refs ?? []) };
      const change = { ...withoutUndefined(rest), ...projectIds };
      const changed = await changeTrust(
        dependencies,
        { id: pathId(request, 'trust_id'), change },
        { issuer, author },
      );
      if (changed === null) throw notFound();
      sendJson(reply, presentTrust(changed));
    },

    deleteTrust: async ({ request, reply, author }) => {
      const powers = powersOf(accessOf(request).key);
      if (!(await trusts.remove(pathId(request, 'trust_id'), powers, author))) throw notFound();
      sendNothing(reply);
    },
  };
}

function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as typeof fields;
}

const presentTrust = presenter(trust, {
  claims: ({ claims }: Trust) =>
    Object.fromEntries(Object.entries(claims).map(([name, values]) => [name, [...values]])),
  project_ids: ({ projectIds }: Trust) => (projectIds.length === 0 ? null : projectIds),
});
