import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DatabaseHost } from './database-url.ts';
import { primaryFinder, type Failover } from './primary.ts';
import type { ServerState } from './server-state.ts';
import { wireOf } from './wire.ts';

const [ONE, TWO] = (['one', 'two'] as const).map((name): DatabaseHost => ({
  name,
  url: `postgres://${name}/db`,
})) as [DatabaseHost, DatabaseHost];

const STATE: ServerState = { system: '7', timeline: 3, startedAt: '100', isWritable: true, lineage: 'a' };

/** A process that follows the server of this state, at the first of two hosts. */
function following(state = STATE, answers: Partial<Record<string, ServerState>> = {}) {
  const ask = async ({ name }: DatabaseHost): Promise<ServerState> => {
    const answer = answers[name];
    if (answer === undefined) throw new Error('It is away.');
    return answer;
  };
  const primary = primaryFinder({ hosts: [ONE, TWO], needsPrimary: true, ask });
  onTestFinished(() => primary.close());
  const told = vi.fn<(failover: Failover) => void>();
  primary.onFailover(told);
  const admit = (host: DatabaseHost, next: ServerState): pg.Client => {
    const client = new pg.Client();
    wireOf(client).connection.stream.on('error', () => undefined);
    primary.admit(client, host, next);
    return client;
  };
  return { primary, told, admit, first: admit(ONE, state) };
}

const isEnded = (client: pg.Client): boolean => wireOf(client).connection.stream.destroyed;

const ACCEPTED: Readonly<Record<string, readonly [Partial<ServerState>, { readonly failovers: number }]>> = {
  'a newer timeline': [{ timeline: 4, lineage: 'b', startedAt: '200' }, { failovers: 1 }],
  'the server, started again': [{ startedAt: '200' }, { failovers: 0 }],
  'the server, with another database in its place': [{ lineage: 'b' }, { failovers: 1 }],
};

for (const [name, [change, { failovers }]] of Object.entries(ACCEPTED)) {
  test(`a process follows ${name}, and ends its other connections`, () => {
    const { primary, told, admit, first } = following();
    const next = admit(ONE, { ...STATE, ...change });
    expect(primary).toMatchObject({ generation: 1, failovers, lineage: change.lineage ?? 'a' });
    expect([isEnded(first), isEnded(next)]).toEqual([true, false]);
    expect(told).toHaveBeenCalledTimes(failovers);
  });
}

const REFUSED: Readonly<Record<string, readonly [Partial<ServerState>, string]>> = {
  'an older timeline': [{ timeline: 2 }, 'two is a primary from before the failover.'],
  'a standby': [{ timeline: 0, lineage: '' }, 'two is a standby.'],
  'another cluster': [{ system: '8' }, 'two belongs to another database cluster.'],
  'another cluster on a newer timeline': [
    { system: '8', timeline: 9 },
    'two belongs to another database cluster.',
  ],
  'a server that was promoted to the same timeline on its own': [
    { startedAt: '200', lineage: 'b' },
    'two was promoted to the same timeline as the primary, apart from it.',
  ],
};

for (const [name, [change, reason]] of Object.entries(REFUSED)) {
  test(`a process refuses ${name}, whoever asks, and keeps its connections`, async () => {
    const other = { ...STATE, ...change };
    const { primary, told, admit, first } = following(STATE, { two: other });
    expect(() => admit(TWO, other)).toThrow(reason);
    await expect(primary.locate()).rejects.toThrow(reason);
    expect(primary).toMatchObject({ generation: 0, failovers: 0, lineage: 'a' });
    expect(isEnded(first)).toBe(false);
    expect(told).not.toHaveBeenCalled();
  });
}

test('a process that knows no lineage yet takes that of its server', () => {
  const { primary, admit, first } = following({ ...STATE, lineage: '' });
  admit(ONE, STATE);
  expect(primary).toMatchObject({ generation: 0, lineage: 'a' });
  expect(isEnded(first)).toBe(false);
});
