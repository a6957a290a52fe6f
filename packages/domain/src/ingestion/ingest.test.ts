import { expect, test } from 'vitest';
import { DomainError } from '../kernel/domain-error.ts';
import { NO_QUOTA } from '../usage/log-quota.ts';
import { ingest } from './ingest.ts';
import { ingestReport } from './ingest-report.ts';
import type { BatchStores, IngestionStores } from './ingestion-stores.ts';
import { ERROR, ORIGIN } from '../message/message.fixture.ts';
import { deadMessage, type Message } from '../message/message.ts';

function messages(...texts: readonly string[]): readonly Message[] {
  return texts.map((text) => ({ ...ERROR, text }));
}

/** Stores that reject errors starting with "bad", and the contents of each stored batch. */
function pickyStores(error = new DomainError('invalid_input', 'No.')) {
  const batches: string[][] = [];
  const stores: IngestionStores = {
    withBatch: async (work) => {
      const batch: string[] = [];
      const result = await work(storesOf(batch, error));
      batches.push(batch);
      return result;
    },
  };
  return { stores, batches };
}

function storesOf(batch: string[], error: Error): BatchStores {
  const owner = { projectId: 1, family: 'plugin_configs', plugin: 7, logQuota: NO_QUOTA } as const;
  return {
    owners: { of: async (ids) => new Map(ids.map((id) => [id, owner])) },
    days: { earliestKept: async () => Number.NEGATIVE_INFINITY },
    sequence: { add: async () => undefined },
    log: { append: async () => [], areStored: async () => [] },
    usage: { lock: async () => new Map(), add: async () => undefined },
    reports: {
      store: async ({ errors }) => {
        if (errors.some(({ text }) => text.startsWith('bad'))) throw error;
        batch.push(...errors.map(({ text }) => `error ${text}`));
        return [];
      },
    },
    deadLetters: {
      lock: async () => new Set(),
      add: async (letters) => void batch.push(...letters.map(({ text }) => `dead ${text}`)),
      changeReasons: async () => undefined,
      remove: async () => undefined,
    },
  };
}

function failingStores(failure: Error): IngestionStores {
  return { withBatch: () => Promise.reject(failure) };
}

test('bisection finds the bad message, which becomes a dead letter', async () => {
  const { stores, batches } = pickyStores();
  const outcomes = await ingest({ stores }, messages('a', 'b', 'bad 1', 'c', 'd', 'e', 'f', 'bad 2'));
  expect(outcomes).toEqual([
    'stored',
    'stored',
    'unstorable',
    'stored',
    'stored',
    'stored',
    'stored',
    'unstorable',
  ]);
  expect(batches).toEqual([
    ['error a', 'error b'],
    ['dead bad 1'],
    ['error c'],
    ['error d', 'error e'],
    ['error f'],
    ['dead bad 2'],
  ]);
});

test('an unavailable store creates no dead letters', async () => {
  for (const code of ['unavailable', 'busy'] as const) {
    const { stores, batches } = pickyStores(new DomainError(code, 'Later.'));
    await expect(ingest({ stores }, messages('a', 'bad'))).rejects.toMatchObject({ code });
    expect(batches).toEqual([]);
  }
});

test('an unknown failure creates no dead letters', async () => {
  const failure = new TypeError('a bug');
  const stores = failingStores(failure);
  await expect(ingest({ stores }, messages('a', 'b'))).rejects.toBe(failure);
});

test('a dead letter that the stores reject fails the batch', async () => {
  const stores = failingStores(new DomainError('invalid_input', 'No.'));
  const dead = deadMessage({ text: 'x', origin: ORIGIN, position: 1 }, 'not_json');
  await expect(ingest({ stores }, [dead])).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a report counts all outcomes', () => {
  expect(ingestReport(['stored', 'duplicate', 'too_old', 'stored', 'not_json'])).toEqual({
    stored: 2,
    duplicates: 1,
    dead: 2,
  });
});
