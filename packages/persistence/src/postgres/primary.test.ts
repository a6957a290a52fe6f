import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { watchPrimary } from './primary.ts';
import type { ServerState } from './server-state.ts';
import { wireOf } from './wire.ts';

const STATE: ServerState = {
  system: '7',
  pgTimeline: 3,
  startedAt: '100',
  isWritable: true,
  timelineId: 'a',
};

/** Returns the primary of a process with a connection to a server in this state. */
function following(state = STATE) {
  const primary = watchPrimary();
  const onFailover = vi.fn<(timeline: number) => void>();
  primary.onFailover(onFailover);
  const admit = (next: ServerState): pg.Client => {
    const client = new pg.Client();
    wireOf(client).connection.stream.on('error', () => undefined);
    primary.admit(client, next);
    return client;
  };
  return { primary, onFailover, admit, first: admit(state) };
}

const isEnded = (client: pg.Client): boolean => wireOf(client).connection.stream.destroyed;

const ACCEPTED: Readonly<Record<string, readonly [Partial<ServerState>, { readonly failovers: number }]>> = {
  'a newer timeline': [{ pgTimeline: 4, timelineId: 'b', startedAt: '200' }, { failovers: 1 }],
  'the server after a restart': [{ startedAt: '200' }, { failovers: 0 }],
  'the server after a restore of its database': [{ timelineId: 'b' }, { failovers: 1 }],
};

for (const [name, [change, { failovers }]] of Object.entries(ACCEPTED)) {
  test(`a process follows ${name}, and ends its other connections`, () => {
    const { primary, onFailover, admit, first } = following();
    const { timeline } = primary;
    const next = admit({ ...STATE, ...change });
    expect(primary).toMatchObject({ failovers, timeline: { id: change.timelineId ?? 'a' } });
    expect([timeline.id, timeline.ended.aborted, primary.timeline.ended.aborted]).toEqual(['a', true, false]);
    expect([isEnded(first), isEnded(next)]).toEqual([true, false]);
    expect(onFailover.mock.calls).toEqual(failovers === 0 ? [] : [[change.pgTimeline ?? STATE.pgTimeline]]);
  });
}

const REJECTED: Readonly<Record<string, readonly [Partial<ServerState>, string]>> = {
  'an older timeline': [{ pgTimeline: 2 }, 'is a primary from before the failover.'],
  'a standby': [{ pgTimeline: 0, timelineId: '' }, 'is a standby.'],
  'another cluster': [{ system: '8' }, 'belongs to another database cluster.'],
  'another cluster on a newer timeline': [
    { system: '8', pgTimeline: 9 },
    'belongs to another database cluster.',
  ],
  'a server that was promoted separately to the same timeline number': [
    { startedAt: '200', timelineId: 'b' },
    'was promoted to the same timeline number as the primary, but separately.',
  ],
};

for (const [name, [change, reason]] of Object.entries(REJECTED)) {
  test(`a process does not follow ${name}, and keeps its connections`, () => {
    const { primary, onFailover, admit, first } = following();
    expect(() => admit({ ...STATE, ...change })).toThrow(`The database server ${reason}`);
    expect(primary).toMatchObject({ failovers: 0, timeline: { id: 'a', ended: { aborted: false } } });
    expect(isEnded(first)).toBe(false);
    expect(onFailover).not.toHaveBeenCalled();
  });
}

test('a process has a random timeline id until its server has one, so that its cursors can be read', () => {
  const unknown = { ...STATE, timelineId: '' };
  const { primary, admit, first } = following(unknown);
  const { id } = primary.timeline;
  admit(unknown);
  expect(primary.timeline.id).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  admit(STATE);
  expect(primary.timeline).toMatchObject({ id: 'a', ended: { aborted: false } });
  expect(isEnded(first)).toBe(false);
});

test.for([
  ['ends all connections to a server that becomes read-only', true],
  ['keeps the connections to a server that was read-only from the start', false],
] as const)('a process %s', ([, isWritable]) => {
  const { admit, first } = following({ ...STATE, isWritable });
  const second = admit({ ...STATE, isWritable });
  wireOf(second).connection.emit('errorMessage', { code: '23505' });
  expect([isEnded(first), isEnded(second)]).toEqual([false, false]);
  wireOf(second).connection.emit('errorMessage', { code: '25006' });
  expect([isEnded(first), isEnded(second)]).toEqual([isWritable, isWritable]);
});
