import { expect, test } from 'vitest';
import { judge, type Facts } from './judge.ts';
import { deadMessage, type EntryMessage, type Message } from '../message/message.ts';
import { DELIVERY, ENTRY, ERROR, ORIGIN } from '../message/message.fixture.ts';
import { NO_QUOTA } from '../usage/log-quota.ts';
import type { Owner } from './ingestion-stores.ts';

const OWNER: Owner = { projectId: 1, family: 'plugin_configs', plugin: 7, logQuota: NO_QUOTA };
const PIPELINE: Owner = { ...OWNER, family: 'pipeline_transformation_configs' };
const [RECORD, PIPELINE_RECORD, UNKNOWN_RECORD] = [42, 43, 44];
const EARLIEST = ENTRY.timestamp;
const FACTS: Facts = {
  owners: new Map([
    [RECORD, OWNER],
    [PIPELINE_RECORD, PIPELINE],
  ]),
  earliestKept: EARLIEST,
  deadLetters: new Set([5]),
};

const DEAD = deadMessage({ text: 'x', origin: ORIGIN, position: 0 }, 'not_json');

function verdictOf(message: Message): unknown {
  return judge([message], FACTS).verdicts[0];
}

function sentTo(projectIds: readonly number[]): EntryMessage {
  return { ...ENTRY, origin: { ...ENTRY.origin, projectIds } };
}

function retryOf<M extends Message>(message: M, deadLetterId: number): M {
  return { ...message, origin: { ...message.origin, deadLetterId } };
}

test('an entry is stored with the project and the plugin of its record', () => {
  expect(judge([ENTRY], FACTS)).toEqual({
    verdicts: ['log'],
    entries: [
      {
        id: ENTRY.id,
        projectId: 1,
        plugin: 7,
        recordId: RECORD,
        timestamp: new Date(EARLIEST),
        source: 'PLUGIN',
        type: 'LOG',
        message: 'Loaded',
        instanceId: ENTRY.instanceId,
      },
    ],
    deliveries: [],
    errors: [],
  });
});

test('a message without contradictions is stored', () => {
  for (const message of [{ ...ENTRY, projectId: 1, plugin: 7 }, sentTo([3, 1])]) {
    expect(verdictOf(message)).toBe('log');
  }
});

test('a message about an unknown record is dead', () => {
  for (const message of [ENTRY, DELIVERY, ERROR]) {
    expect(verdictOf({ ...message, recordId: UNKNOWN_RECORD })).toBe('unknown_plugin_config');
  }
});

test('a sender cannot tell a record that it may not write to from one that does not exist', () => {
  for (const fields of [{}, { projectId: 1, plugin: 7 }, { projectId: 2, plugin: 8 }, { timestamp: 0 }]) {
    for (const recordId of [RECORD, PIPELINE_RECORD, UNKNOWN_RECORD])
      expect(verdictOf({ ...sentTo([2]), ...fields, recordId })).toBe('unknown_plugin_config');
  }
});

test('a message whose project or plugin is not that of its record is dead', () => {
  expect(verdictOf({ ...ENTRY, projectId: 2 })).toBe('wrong_team_id');
  expect(verdictOf({ ...ENTRY, plugin: 8 })).toBe('wrong_plugin_id');
});

test('pipeline transformations have errors and deliveries, but no logs', () => {
  const verdicts = [ENTRY, DELIVERY, ERROR].map((message) =>
    verdictOf({ ...message, recordId: PIPELINE_RECORD }),
  );
  expect(verdicts).toEqual(['no_log', 'delivery', 'error']);
});

test('entries and deliveries of a dropped day are dead, but not errors', () => {
  const verdicts = [ENTRY, DELIVERY, ERROR].map((message) =>
    verdictOf({ ...message, timestamp: EARLIEST - 1 }),
  );
  expect(verdicts).toEqual(['too_old', 'too_old', 'error']);
});

test('a retry of a dead letter that no longer exists is gone, for any text', () => {
  for (const message of [ENTRY, ERROR, DEAD, { ...ENTRY, recordId: UNKNOWN_RECORD }]) {
    expect(verdictOf(retryOf(message, 6))).toBe('gone');
  }
  expect(verdictOf(retryOf(ENTRY, 5))).toBe('log');
  expect(verdictOf(retryOf(DEAD, 5))).toBe('not_json');
});

/** All combinations of records, projects, plugins, times, retries and senders. */
const EVERY_MESSAGE: readonly Message[] = [
  DEAD,
  ...[ENTRY, DELIVERY, ERROR].flatMap((message) =>
    [RECORD, PIPELINE_RECORD, UNKNOWN_RECORD].flatMap((recordId) =>
      [null, 1, 2].flatMap((projectId) =>
        [null, 7, 8].flatMap((plugin) =>
          [EARLIEST - 1, EARLIEST].flatMap((timestamp) =>
            [null, 5, 6].flatMap((deadLetterId) =>
              [[], [1], [2]].map((projectIds) => ({
                ...message,
                recordId,
                projectId,
                plugin,
                timestamp,
                origin: { ...message.origin, deadLetterId, projectIds },
              })),
            ),
          ),
        ),
      ),
    ),
  ),
];

test('every message has one verdict, and goes to the corresponding store in order', () => {
  const { verdicts, entries, deliveries, errors } = judge(EVERY_MESSAGE, FACTS);
  const withVerdict = (kind: string) => EVERY_MESSAGE.filter((_, i) => verdicts[i] === kind);
  expect(verdicts).toHaveLength(EVERY_MESSAGE.length);
  expect(entries.map(({ recordId, plugin, projectId }) => [recordId, plugin, projectId])).toEqual(
    withVerdict('log').map(() => [RECORD, 7, 1]),
  );
  expect(deliveries).toEqual(withVerdict('delivery'));
  expect(errors).toEqual(withVerdict('error'));
  expect(EVERY_MESSAGE.length).toBe(1 + 3 * 3 * 3 * 3 * 2 * 3 * 3);
});

test('a verdict does not depend on the rest of the batch', () => {
  expect(judge(EVERY_MESSAGE, FACTS).verdicts).toEqual(EVERY_MESSAGE.map(verdictOf));
});

test('a stored message is consistent with its record and its sender', () => {
  const { verdicts } = judge(EVERY_MESSAGE, FACTS);
  const stored = EVERY_MESSAGE.filter((message, i) => verdicts[i] === message.kind);
  for (const message of stored) {
    expect(message).toMatchObject({
      recordId: expect.toBeOneOf(message.kind === 'log' ? [RECORD] : [RECORD, PIPELINE_RECORD]),
      projectId: expect.toBeOneOf([null, 1]),
      plugin: expect.toBeOneOf([null, 7]),
    });
    expect([null, 5]).toContain(message.origin.deadLetterId);
    expect(message.origin.projectIds).not.toContain(2);
  }
  expect(stored.length).toBeGreaterThan(0);
});
