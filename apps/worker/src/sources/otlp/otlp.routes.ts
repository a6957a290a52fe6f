import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, type Randomness } from '@plugin-config/domain';
import { inSlices, type TimeSlices } from '@plugin-config/flow';
import {
  hangUpSignal,
  invalidRequest,
  isUtf8,
  sendBody,
  takeMemory,
  unsupportedMediaType,
  untilHangUp,
  withPermit,
  type Guard,
} from '@plugin-config/server';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { checkContentEncoding } from '../push/check-media.ts';
import type { PushSource } from '../push/push-source.ts';
import { receivePush, type ReceivedPush } from '../push/receive-push.ts';
import { otlpLines } from './otlp-lines.ts';
import { otlpResponse, otlpStatus, type OtlpEncoding } from './otlp-response.ts';
import { readOtlpJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';
import type { ReadRecord } from './read-record.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly push: PushSource;
  readonly randomness: Randomness;
}

const TYPE = /^\s*application\/(?:(x-protobuf)|json)\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Receives OpenTelemetry log records, as a push of entries. */
export function otlpRoutes(app: FastifyInstance, { guard, push, randomness }: Dependencies): void {
  const config: FastifyContextConfig = {
    encodeProblem: (problem, { headers }) => otlpStatus(encodingOf(headers) ?? 'json', problem),
  };
  const onRequest = guard({ scope: 'plugin_log:write', needs: 'key' });
  app.post('/v1/logs', { onRequest, config }, (request, reply) =>
    receivePush({ request, reply, randomness, checkMedia }, async (received) => {
      const encoding = encodingOf(request.headers) ?? 'json';
      const read = () => linesOf(encoding, received, untilHangUp(reply));
      const lines = await withPermit(request, 'large', read, hangUpSignal(reply.raw));
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

/** Converts an export to NDJSON. Parsing temporarily takes about as much memory as the body. */
async function linesOf(
  encoding: OtlpEncoding,
  { body, sender, reservation }: ReceivedPush,
  slices: TimeSlices,
): Promise<readonly Buffer[]> {
  const bytes = body.reduce((sum, { length }) => sum + length, 0);
  takeMemory(reservation, bytes);
  const records = await recordsOf(encoding, Buffer.concat(body), slices);
  reservation.give(bytes);
  const lines: Buffer[] = [];
  for (const block of otlpLines(records, sender.origin.receivedAt)) {
    takeMemory(reservation, block.length);
    lines.push(block);
    if (slices.isDue()) await slices.yieldTurn();
  }
  return lines;
}

async function recordsOf(
  encoding: OtlpEncoding,
  body: Buffer,
  slices: TimeSlices,
): Promise<readonly ReadRecord[]> {
  try {
    const reading = encoding === 'json' ? readOtlpJson(utf8.decode(body)) : readProtobuf(body);
    return await inSlices(reading, slices);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw invalidRequest(400, 'parse_error', `The body is not a valid ExportLogsServiceRequest: ${reason}`);
  }
}
