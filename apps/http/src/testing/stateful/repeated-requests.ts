import type { WireConfigRecord } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ReceivedAnswer } from '../caller.ts';
import { shownConfig, type Model, type Replayable } from './model.ts';
import { expectRejected, type Target } from './service.ts';

/** A few names, so that many requests are repeated, some with another body. */
export const keys = fc.constantFrom(null, null, 'first', 'second');

interface Keyed {
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

/**
 * Sends a request under a key. If its first answer is kept, expects that one, or a rejection if the body is another one; else
 * does the work, which returns the answer to keep, or null if the request was rejected.
 */
export async function once(
  { model, place, call }: Target,
  { path, key, body }: Keyed,
  work: (headers: Readonly<Record<string, string>>) => Promise<ReceivedAnswer<unknown> | null>,
): Promise<void> {
  if (key === null) return void (await work({}));
  const name = `${place.project} ${path} ${key}`;
  const headers = { 'idempotency-key': key };
  const kept = model.kept.get(name);
  if (kept !== undefined) {
    const answer = await call('POST', path, { body, headers });
    if (kept.body !== body) return expectRejected(answer, [422, 'idempotency_mismatch', 'Idempotency-Key']);
    expect(replayable(answer)).toEqual(withPresentConfig(model, kept.answer));
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    return;
  }
  const answer = await work(headers);
  if (answer === null) return;
  expect(answer.headers.get('idempotent-replayed')).toBeNull();
  model.kept.set(name, { body, answer: replayable(answer) });
}

export function replayable({ status, text, headers }: ReceivedAnswer<unknown>): Replayable {
  return { status, text, location: headers.get('location'), etag: headers.get('etag') };
}

/** The tag is another one if the configuration is. */
function withPresentConfig({ projects }: Model, answer: Replayable): object {
  const body = JSON.parse(answer.text) as WireConfigRecord;
  const records = projects.flatMap((families) => Object.values(families).flatMap((family) => family.records));
  const record = records.find(({ id }) => id === body.id);
  const config = JSON.stringify(record && shownConfig(record));
  if (config === body.config) return answer;
  return {
    ...answer,
    text: JSON.stringify({ ...body, config }),
    etag: expect.not.stringMatching(answer.etag ?? ''),
  };
}
