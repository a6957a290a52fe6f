import type { WireIngestReport } from '@plugin-config/contract';
import type { Randomness } from '@plugin-config/domain';
import { sendJson, type Guard } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import { checkNdjson } from './check-media.ts';
import type { PushSource } from './push-source.ts';
import { receivePush } from './receive-push.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly push: PushSource;
  /** Receives what has no entries. */
  readonly reportPush: PushSource;
  readonly randomness: Randomness;
}

/** Receives NDJSON and answers after the commit. */
export function ingestRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { guard, push, reportPush, randomness } = dependencies;
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  const onRequest = guard({ scope: 'plugin_log:write' });
  app.post('/ingest', { onRequest }, (request, reply) =>
    receivePush({ request, reply, randomness, checkMedia: checkNdjson }, async ({ body, sender }) => {
      const source = mayHaveEntries(body) ? push : reportPush;
      const report: WireIngestReport = await source.push(body, sender);
      sendJson(reply, report);
    }),
  );
}

/** Every entry has this field. A wrong guess does no harm, except that the push may wait for the log. */
function mayHaveEntries(body: readonly Buffer[]): boolean {
  return body.some((block) => block.includes('"message"'));
}
