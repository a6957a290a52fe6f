import { check, presenter } from '@plugin-config/contract';
import { checkOutcomeOf, notFound, queueCheck, type JobWithOutput } from '@plugin-config/domain';
import { sendJson, sendRead } from '@plugin-config/server';
import type { HandlersOf } from '../endpoints/handler.ts';
import { pathUuid } from '../requests/path-id.ts';
import { onceEnded } from './once-ended.ts';
import type { Services } from '../services.ts';

/** The handlers of tests of configurations. */
export function checkHandlers(dependencies: Services): HandlersOf<'queueCheck' | 'retrieveCheck'> {
  const { pluginJobs, baseUrl } = dependencies;
  return {
    queueCheck: async ({ request, reply, family, body, author }) => {
      const { plugin, config, record: recordId } = body;
      const id = await queueCheck(dependencies, { family, plugin, config, recordId, author });
      const path = `/api/projects/${family.projectId}/${family.family}/checks/${id}`;
      sendJson(reply.code(202).header('location', `${baseUrl(request)}${path}`), { id });
    },

    retrieveCheck: async ({ request, reply, family, query: { wait } }) => {
      const id = pathUuid(request, 'check_id');
      const read = () => pluginJobs.findCheck(family, id);
      const found = await onceEnded(dependencies, reply, { family, wait, read });
      if (found === null) throw notFound();
      await sendRead(reply, presentCheck({ ...found, ...outcomeOf(found) }));
    },
  };
}

function outcomeOf({ state, output }: JobWithOutput) {
  if (state === 'succeeded') return checkOutcomeOf(output);
  return { ok: null, errors: [], details: null };
}

const presentCheck = presenter(check);
