import {
  ID_TOKEN_MAX,
  tokenExchange,
  type ExchangeError,
  type WireExchangedToken,
  type WireExchangeRejection,
} from '@plugin-config/contract';
import {
  DomainError,
  exchangeIdToken,
  invalidInput,
  type AccessTokenSigner,
  type Clock,
  type IdTokenVerifier,
  type TrustStore,
} from '@plugin-config/domain';
import {
  invalidRequest,
  JSON_UTF8,
  jsonBytes,
  readBody,
  sendJson,
  takeMemory,
  type Problem,
  type TypedBody,
} from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { signInAttempts } from '../session/sign-in-attempts.ts';

interface Dependencies {
  readonly trusts: TrustStore;
  readonly accessTokens: Pick<AccessTokenSigner, 'sign'>;
  readonly clock: Clock;
  readonly idTokens: IdTokenVerifier;
}

const BODY_MAX_BYTES = 2 * ID_TOKEN_MAX;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const NO_ACCOUNT = 0;

/** Exchanges a token of an identity provider in the form of RFC 8693. It is no endpoint like others, since it takes no key. */
export function exchangeRoute(app: FastifyInstance, { accessTokens, ...dependencies }: Dependencies): void {
  const countAttempt = signInAttempts();
  app.route({
    method: 'POST',
    url: '/api/auth/token',
    config: { encodeProblem: encodeRejection },
    handler: async (request, reply) => {
      const undo = countAttempt(request.ip, performance.now());
      const { trust, subject_token: idToken } = await receiveForm(request, reply);
      const exchange = { trustId: Number(trust), idToken, requestId: request.id };
      const token = await exchangeIdToken(dependencies, exchange).catch((error: unknown) => {
        if (!isRejection(error)) undo();
        throw error;
      });
      undo();
      const lifetimeMs = token.expiresAt.getTime() - dependencies.clock.now().getTime();
      const response: WireExchangedToken = {
        access_token: accessTokens.sign(token),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: Math.max(0, Math.floor(lifetimeMs / 1000)),
      };
      sendJson(reply, response);
    },
  });
}

function isRejection(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'invalid_input';
}

async function receiveForm(request: FastifyRequest, reply: FastifyReply) {
  const reservation = request.server.gate.memory.reservation(NO_ACCOUNT);
  reply.raw.once('close', reservation.release);
  const take = (bytes: number): void => takeMemory(reservation, bytes);
  const pieces = await readBody(request, { maxBytes: BODY_MAX_BYTES, take });
  if (!FORM_TYPE.test(request.headers['content-type'] ?? ''))
    throw badForm('The body must be application/x-www-form-urlencoded.');
  const sent = new URLSearchParams(Buffer.concat(pieces).toString());
  const names = Object.keys(tokenExchange.shape);
  const repeated = names.find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined) throw badForm(`${repeated} occurs more than once.`);
  const { grant_type: grantType } = tokenExchange.shape;
  if (sent.has('grant_type') && !grantType.safeParse(sent.get('grant_type')).success)
    throw invalidInput('grant_type', `grant_type must be ${grantType.value}.`);
  const parsed = tokenExchange.safeParse(Object.fromEntries(sent));
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0]);
  throw badForm(`${name} ${sent.has(name) ? 'is not valid' : 'is required'}.`);
}

const badForm = (detail: string) => invalidRequest(400, 'parse_error', detail);

/** Encodes an error as RFC 6749 does. */
function encodeRejection(problem: Problem): TypedBody {
  const body: WireExchangeRejection = { error: exchangeError(problem), error_description: problem.detail };
  return { type: JSON_UTF8, bytes: jsonBytes(body) };
}

const BY_STATUS: Readonly<Record<number, ExchangeError>> = {
  429: 'slow_down',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

function exchangeError({ status, code, attr }: Problem): ExchangeError {
  if (code === 'invalid_input') return attr === 'grant_type' ? 'unsupported_grant_type' : 'invalid_grant';
  return BY_STATUS[status] ?? 'invalid_request';
}
