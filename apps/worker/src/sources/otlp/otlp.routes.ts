import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, TIMEOUT_MS, type Randomness } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { WorkThread } from '@plugin-config/flow/node';
import {
  hangUpSignal,
  invalidRequest,
  isUtf8,
  sendBody,
  takeMemory,
  unsupportedMediaType,
  type Guard,
} from '@plugin-config/server';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { checkContentEncoding } from '../push/check-media.ts';
import type { PushSource } from '../push/push-source.ts';
import { receivePush, type ReceivedPush } from '../push/receive-push.ts';
import { decodeExport, type EncodedExport } from './decode-export.ts';
import { otlpResponse, otlpStatus, type OtlpEncoding } from './otlp-response.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly push: PushSource;
  readonly randomness: Randomness;
  readonly thread: WorkThread;
}

const TYPE = /^\s*application\/(?:(x-protobuf)|json)\s*(?:;|$)/i;

/** Receives OpenTelemetry log records, as a push of entries. */
export function otlpRoutes(app: FastifyInstance, { guard, push, randomness, thread }: Dependencies): void {
  const config: FastifyContextConfig = {
    encodeProblem: (problem, { headers }) => otlpStatus(encodingOf(headers) ?? 'json', problem),
  };
  const onRequest = guard({ scope: 'plugin_log:write', needs: 'key' });
  app.post('/v1/logs', { onRequest, config }, (request, reply) =>
    receivePush({ request, reply, randomness, checkMedia }, async (received) => {
      const encoding = encodingOf(request.headers) ?? 'json';
      const lines = await linesOf(thread, encoding, received, hangUpSignal(reply.raw));
      const report = await push.push(lines, received.sender);
      sendBody(reply, otlpResponse(encoding, report));
    }),
  );
}

function checkMedia(headers: IncomingHttpHeaders): void {
  if (encodingOf(headers) === null) {
    throw unsupportedMediaType(
      'The Content-Type must be application/x-protobuf or application/json, in UTF-8.',
    );
  }
  checkContentEncoding(headers);
}

function encodingOf(headers: IncomingHttpHeaders): OtlpEncoding | null {
  const found = TYPE.exec(headers['content-type'] ?? '');
  if (found === null || !isUtf8(headers)) return null;
  return found[1] === undefined ? 'json' : 'protobuf';
}

/** Smaller exports are decoded at once, unless they have more log records. That takes less than 20 ms. */
const SMALL_BYTES = 64 * 1024;
const SMALL_RECORDS = 1000;

/** Converts an export to NDJSON, on the thread unless it is small. */
async function linesOf(
  thread: WorkThread,
  encoding: OtlpEncoding,
  { body, sender: { origin, tenant }, reservation }: ReceivedPush,
  signal: StopSignal,
): Promise<readonly Buffer[]> {
  const { receivedAt } = origin;
  const joined = (): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(body));
  const bytes = body.reduce((sum, { length }) => sum + length, 0);
  try {
    const small = bytes > SMALL_BYTES ? null : decodeSmall({ encoding, body: joined(), receivedAt });
    const blocks =
      small ??
      ((await thread.run({
        tenant,
        name: 'decodeExport',
        input: () => {
          const encoded: EncodedExport = { encoding, body: joined(), receivedAt };
          return { value: encoded, moved: [encoded.body.buffer] };
        },
        until: { remainingMs: TIMEOUT_MS, signal },
      })) as ReturnType<typeof decodeExport>);
    takeMemory(
      reservation,
      blocks.reduce((sum, { length }) => sum + length, 0),
    );
    return blocks.map(({ buffer }) => Buffer.from(buffer));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    throw invalidRequest(400, 'parse_error', `The body is not a valid ExportLogsServiceRequest: ${message}`);
  }
}

function decodeSmall(encoded: EncodedExport): ReturnType<typeof decodeExport> | null {
  try {
    return decodeExport(encoded, SMALL_RECORDS);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_large') return null;
    throw error;
  }
}
