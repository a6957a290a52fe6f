import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { DomainError, type KeyGrant } from '@plugin-config/domain';
import { structuredLogger } from '@plugin-config/server';
import { expect, test } from 'vitest';
import { OpenStream } from './open-stream.ts';
import { endInvalidKeys } from './watched-keys.ts';

const KEY: KeyGrant = {
  id: 7,
  accountId: 7,
  label: 'test',
  scopes: ['*'],
  projectIds: [],
  pluginIds: [],
  expiresAt: null,
  revokedAt: null,
};

function openStream(key: KeyGrant, endsAt: Date | null = null): OpenStream {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const reserve = () => ({ take: () => 'granted' as const, give: () => undefined, release: () => undefined });
  return new OpenStream({ response, key, endsAt, projectId: 1, number: 0, reserve });
}

test('while the time is unknown, no stream ends, and the log says why', async () => {
  const stream = openStream({ ...KEY, expiresAt: new Date(0) });
  const lines: string[] = [];
  const logger = structuredLogger('http', 'info', { write: (line: string) => lines.push(line) > 0 });
  const probe = { grants: async () => new Map([[KEY.id, stream.key]]), existing: async () => new Set([1]) };
  const streams = new Set([stream]);
  const unknown = (): never => {
    throw new DomainError('unavailable', 'The time is unknown.');
  };
  await endInvalidKeys({ probe, clock: { now: unknown }, logger }, streams);
  expect(stream.signal.aborted).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', reason: 'The time is unknown.' },
  ]);
  await endInvalidKeys({ probe, clock: { now: () => new Date(1) }, logger }, streams);
  expect(stream.endedBy).toBe('key_expired');
});

test('a stream opened by a session ends with it; one opened by its key does not', async () => {
  const [ofSession, ofKey] = [openStream(KEY, new Date(1000)), openStream(KEY)];
  const logger = structuredLogger('http', 'info', { write: () => true });
  const streams = new Set([ofSession, ofKey]);
  const check = async (ms: number): Promise<void> => {
    const probe = { grants: async () => new Map([[KEY.id, KEY]]), existing: async () => new Set([1]) };
    await endInvalidKeys({ probe, clock: { now: () => new Date(ms) }, logger }, streams);
  };
  await check(999);
  expect(ofSession.signal.aborted).toBe(false);
  await check(1000);
  expect([ofSession.endedBy, ofKey.signal.aborted]).toEqual(['key_expired', false]);
});

test('a stream that opens during a check is left to the next one, and that of a deleted project ends', async () => {
  const [early, late] = [openStream(KEY), openStream(KEY)];
  const logger = structuredLogger('http', 'info', { write: () => true });
  const streams = new Set([early]);
  const grants = async () => new Map([[KEY.id, KEY]]);
  const clock = { now: () => new Date(0) };
  const existing = async () => {
    streams.add(late);
    return new Set<number>();
  };
  await endInvalidKeys({ probe: { grants, existing }, clock, logger }, streams);
  expect([early.endedBy, late.signal.aborted]).toEqual(['project_deleted', false]);
  const unreachable = { grants, existing: () => Promise.reject(new Error('No database.')) };
  await endInvalidKeys({ probe: unreachable, clock, logger }, streams);
  expect(late.signal.aborted).toBe(false);
});
