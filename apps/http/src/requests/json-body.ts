import type { IncomingMessage } from 'node:http';
import { parseExactly } from '@plugin-config/domain';
import { parseError, unsupportedMediaType } from '@plugin-config/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const BODY_MAX_BYTES = 1024 * 1024;
const TAKES = 'A request body must be JSON in UTF-8: "Content-Type: application/json".';
const SHOWN_MAX = 200;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8 is the one thing that is read; nothing at all is read as an empty object. */
export function readJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    await refuseContent(payload);
    return {};
  });
}

async function refuseContent(payload: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    payload.once('data', () => reject(unsupportedMediaType(TAKES))).once('end', resolve);
  });
}

function parseBody(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0) return {};
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('A request body must not be encoded.');
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupportedMediaType(TAKES);
  const text = decode(body);
  try {
    return parseExactly(text);
  } catch (error) {
    throw parseError(reasonOf(error));
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw parseError('the body is not valid UTF-8');
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'the body is not valid JSON';
  return reason.length > SHOWN_MAX ? `${reason.slice(0, SHOWN_MAX)}…` : reason;
}
