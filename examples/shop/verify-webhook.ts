import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** An event of the service, as far as the shop uses it. */
export interface Event {
  readonly type: string;
  readonly data: {
    readonly project: { readonly external_id: string | null } | null;
    readonly record?: { readonly name: string };
    readonly actor?: { readonly label: string; readonly subject?: { readonly name?: string } };
  };
}

const MAX_AGE_SECONDS = 300;

/** Returns the event of a delivery. Throws if it is not signed with the secret, or too old. `standardwebhooks` of npm does the same. */
export function verifyWebhook(secret: string, headers: IncomingHttpHeaders, body: string): Event {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = (signatures ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!isSigned || !(age <= MAX_AGE_SECONDS)) throw new Error('The signature is invalid.');
  return JSON.parse(body) as Event;
}
