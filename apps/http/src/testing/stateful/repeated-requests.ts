import type { WireConfigRecord } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ReceivedResponse } from '../caller.ts';
import { shownConfig, type Model, type Replayable } from './model.ts';
import { expectRejected, type Target } from './service.ts';

/** There are only two keys, so many requests are repeated, some with another body. */
export const keys = fc.constantFrom(null, null, 'first', 'second');

interface Keyed {
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

/**
 * Sends a request with a key. If the model has a response for the key, expects that response, or an error if the body differs.
 * Otherwise calls `work`, which returns the response to store, or null after an error.
 */
export async function once(
  { model, place, call }: Target,
  { path, key, body }: Keyed,
  work: (headers: Readonly<Record<string, string>>) => Promise<ReceivedResponse<unknown> | null>,
): Promise<void> {
  if (key === null) return void (await work({}));
  const name = `${place.project} ${path} ${key}`;
  const headers = { 'idempotency-key': key };
  const stored = model.stored.get(name);
  if (stored !== undefined) {
    const response = await call('POST', path, { body, headers });
    if (stored.body !== body)
      return expectRejected(response, [422, 'idempotency_mismatch', 'Idempotency-Key']);
    expect(replayable(response)).toEqual(withCurrentConfig(model, stored.response));
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    return;
  }
  const response = await work(headers);
  if (response === null) return;
  expect(response.headers.get('idempotent-replayed')).toBeNull();
  model.stored.set(name, { body, response: replayable(response) });
}

export function replayable({ status, text, headers }: ReceivedResponse<unknown>): Replayable {
  return { status, text, location: headers.get('location'), etag: headers.get('etag') };
}

/** The tag differs if the configuration does. */
function withCurrentConfig({ projects }: Model, response: Replayable): object {
  const body = JSON.parse(response.text) as WireConfigRecord;
  const records = projects.flatMap((families) => Object.values(families).flatMap((family) => family.records));
  const record = records.find(({ id }) => id === body.id);
  const config = JSON.stringify(record && shownConfig(record));
  if (config === body.config) return response;
  return {
    ...response,
    text: JSON.stringify({ ...body, config }),
    etag: expect.not.stringMatching(response.etag ?? ''),
  };
}
