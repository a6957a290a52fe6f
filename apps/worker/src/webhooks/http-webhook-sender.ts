import type http from 'node:http';
import {
  RESPONSE_MAX,
  SEND_TIMEOUT_MS,
  storableText,
  type AttemptOutcome,
  type WebhookMessage,
  type WebhookSender,
  type WebhookTarget,
} from '@plugin-config/domain';
import { failure, guardedRequests, type RequestRules } from '@plugin-config/server';
import { Webhook } from 'standardwebhooks';
import { failureReason } from './failure-reason.ts';

const FIRST_INTERIM = 100;
const FIRST_ACCEPTED = 200;
const FIRST_REDIRECT = 300;
const FIRST_ERROR = 400;
/** The maximum number of responses such as 103 before the actual one. Parsing an endless number of them would occupy the process. */
const INTERIM_MAX = 10;
const MAY_RETRY_AFTER = new Set([429, 503]);

/** Sends dispatches as Standard Webhooks. Connects only to addresses that the rules allow, and follows no redirect. */
export function httpWebhookSender({ timeoutMs = SEND_TIMEOUT_MS, ...options }: RequestRules): WebhookSender {
  const open = guardedRequests(options);
  return {
    async send(target, message) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const headers = headersOf(target, message);
        const request = open(new URL(target.url), { method: 'POST', headers, signal });
        return outcomeOf(await exchange(request, message.payload), message.timestamp);
      } catch (error) {
        return signal.aborted
          ? { ...failed(timedOut(timeoutMs)), hasTimedOut: true }
          : failed(failureReason(error));
      }
    },
  };
}

function headersOf({ secrets }: WebhookTarget, { id, timestamp, payload }: WebhookMessage) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, timestamp, payload));
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'webhook-id': id,
    'webhook-timestamp': Math.floor(timestamp.getTime() / 1000),
    'webhook-signature': signatures.join(' '),
  };
}

interface Exchange {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/**
 * Sends the body, and reads the start of the response. Its status decides, so it makes no difference how the rest of it ends.
 */
function exchange(request: http.ClientRequest, payload: string): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let end: (error: Error) => void = reject;
  let interim = 0;
  request.on('information', () => {
    if (++interim > INTERIM_MAX) request.destroy(failure('TOO_MANY_RESPONSES'));
  });
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      const text = Buffer.concat(chunks).subarray(0, RESPONSE_MAX).toString('utf8');
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text });
      request.destroy();
    };
    end = finish;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= RESPONSE_MAX) finish();
    });
    for (const event of ['end', 'error', 'close'] as const) response.on(event, finish);
  });
  request.on('error', (error) => end(error));
  // No error is emitted if the receiver switches protocols.
  request.on('close', () => end(failure('ECONNRESET')));
  request.end(payload);
  return promise;
}

function outcomeOf({ status, retryAfter, text }: Exchange, now: Date): AttemptOutcome {
  if (status < FIRST_INTERIM) return failed('The status of the response is invalid.');
  const response = text === '' ? null : storableText(text, RESPONSE_MAX);
  if (status >= FIRST_ACCEPTED && status < FIRST_REDIRECT) {
    return { status, error: null, response, retryAfterMs: null, hasTimedOut: false };
  }
  const isRedirect = status >= FIRST_REDIRECT && status < FIRST_ERROR;
  const error = `The receiver responded with ${status}${isRedirect ? '. Redirects are not followed' : ''}.`;
  const wait = MAY_RETRY_AFTER.has(status) ? retryAfterMs(retryAfter, now) : null;
  return { status, error, response, retryAfterMs: wait, hasTimedOut: false };
}

const SECONDS = /^\d{1,9}$/;
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the pause that a `Retry-After` header requests, in seconds or until a date; null if it requests none. */
function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (SECONDS.test(header)) return Number(header) * 1000;
  const until = DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}

function failed(error: string): AttemptOutcome {
  return { status: null, error, response: null, retryAfterMs: null, hasTimedOut: false };
}

function timedOut(ms: number): string {
  return `The receiver did not respond within ${ms / 1000} seconds.`;
}
