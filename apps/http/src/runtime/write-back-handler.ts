import { presenter, writtenBack } from '@plugin-config/contract';
import { writeBack } from '@plugin-config/domain';
import { accessOf, deadlineOf, sendJson } from '@plugin-config/server';
import { authorOf } from '../endpoints/call-of.ts';
import type { HandlerOf } from '../endpoints/handler.ts';
import { pathId } from '../requests/path-id.ts';
import { queriedPlugins } from './queried-plugins.ts';
import type { Services } from '../services.ts';

/** Stores secrets that a runtime has changed. */
export function writeBackHandler(dependencies: Services): HandlerOf<'writeBack'> {
  return async ({ request, reply, family: { family }, query, body }) => {
    const { key } = accessOf(request);
    const written = await writeBack(dependencies, {
      family,
      recordId: pathId(request, 'id'),
      key,
      plugins: await queriedPlugins(dependencies, key, query.plugin),
      configVersion: body.config_version,
      set: body.set,
      author: authorOf(request),
      deadline: deadlineOf(request),
    });
    sendJson(reply, presentWrittenBack(written));
  };
}

const presentWrittenBack = presenter(writtenBack);
