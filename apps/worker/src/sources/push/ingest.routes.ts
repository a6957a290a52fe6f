import { refuseDryRun, type WireIngestReport } from '@plugin-config/contract';
import { ownerOfKey, type KeyGrant, type MessageOrigin, type Randomness } from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';
import { accessOf, accountOf, sendJson, takeMemory, type Guard } from '@plugin-config/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkMedia } from './check-media.ts';
import type { PushSource } from './push-source.ts';
import { receiveBody } from './receive-body.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly push: PushSource;
  /** Receives what has no entries. */
  readonly reportPush: PushSource;
  readonly randomness: Randomness;
}

export const BODY_MAX_BYTES = 16 * 1024 * 1024;
/** Counted for each request beside its body, so that the requests of one key cannot take all connections. */
const REQUEST_BYTES = 32 * 1024;

/** Receives NDJSON and answers after the commit. */
export function ingestRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { guard, push, reportPush, randomness } = dependencies;
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  const onRequest = guard({ scope: 'plugin_log:write' });
  app.post('/ingest', { onRequest }, async (request, reply) => {
    refuseDryRun(request.query);
    const { key, at } = accessOf(request);
    const tenant = accountOf(request);
    const reservation = app.memory.reservation(tenant);
    try {
      takeMemory(reservation, REQUEST_BYTES);
      const body = await receive(request, reservation);
      const source = mayHaveEntries(body) ? push : reportPush;
      const report: WireIngestReport = await source.push(body, {
        origin: originOf(key, at, randomness.uuid()),
        tenant,
        onEnd: (listener) => void reply.raw.once('close', listener),
      });
      sendJson(reply, report);
    } finally {
      reservation.release();
    }
  });
}

/** Receives the body; a missing one has no lines. */
async function receive(
  { headers, raw: { arriving } }: FastifyRequest,
  reservation: Reservation,
): Promise<readonly Buffer[]> {
  if (arriving === undefined) return [];
  checkMedia(headers);
  return receiveBody(
    { headers, arriving },
    {
      maxBytes: BODY_MAX_BYTES,
      take: (bytes) => takeMemory(reservation, bytes),
      give: reservation.give,
    },
  );
}

/** Every entry has this field. A wrong guess does no harm, except that the push may wait for the log. */
function mayHaveEntries(body: readonly Buffer[]): boolean {
  return body.some((block) => block.includes('"message"'));
}

function originOf(key: KeyGrant, receivedAt: Date, pushId: string): MessageOrigin {
  const { projectIds } = key;
  return {
    channel: 'http',
    receivedAt,
    streamTime: null,
    projectIds,
    owner: ownerOfKey(key),
    pushId,
    deadLetterId: null,
  };
}
