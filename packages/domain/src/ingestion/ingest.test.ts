import { expect, test } from 'vitest';
import { DomainError } from '../kernel/domain-error.ts';
import { ingest } from './ingest.ts';
import { ingestReport } from './ingest-report.ts';
import type { IngestStore } from './ingest-store.ts';
import { deadMessage, type Message } from '../message/message.ts';

const ORIGIN = {
  channel: 'http',
  receivedAt: new Date(0),
  streamTime: null,
  projectIds: [],
  deadLetterId: null,
};

function messages(...texts: readonly string[]): readonly Message[] {
  return texts.map((text) => ({
    kind: 'error',
    error: null,
    text,
    origin: ORIGIN,
    recordId: 1,
    projectId: null,
    plugin: null,
    timestamp: 0,
    position: 4,
  }));
}

/** Takes whatever does not say "bad". */
function pickyStore(error = new DomainError('invalid_input', 'No.')) {
  const batches: string[][] = [];
  const store: IngestStore = {
    store: async (batch) => {
      if (batch.some(({ kind, text }) => kind !== 'dead' && text.startsWith('bad'))) throw error;
      batches.push(batch.map(({ kind, text }) => `${kind} ${text}`));
      return batch.map((message) => (message.kind === 'dead' ? message.reason : 'stored'));
    },
  };
  return { store, batches };
}

test('a culprit is found by halves and buried, in its order', async () => {
  const { store, batches } = pickyStore();
  const outcomes = await ingest({ store }, messages('a', 'b', 'bad 1', 'c', 'd', 'e', 'f', 'bad 2'));
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

test('a store that takes nothing now buries nobody', async () => {
  for (const code of ['unavailable', 'busy'] as const) {
    const { store, batches } = pickyStore(new DomainError(code, 'Later.'));
    await expect(ingest({ store }, messages('a', 'bad'))).rejects.toMatchObject({ code });
    expect(batches).toEqual([]);
  }
});

test('a failure that nobody knows buries nobody', async () => {
  const failure = new TypeError('a bug');
  const store: IngestStore = { store: () => Promise.reject(failure) };
  await expect(ingest({ store }, messages('a', 'b'))).rejects.toBe(failure);
});

test('what cannot even be buried is told', async () => {
  const store: IngestStore = { store: () => Promise.reject(new DomainError('invalid_input', 'No.')) };
  const dead = deadMessage({ text: 'x', origin: ORIGIN, position: 1 }, 'not_json');
  await expect(ingest({ store }, [dead])).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a report adds up what became of all', () => {
  expect(ingestReport(['stored', 'duplicate', 'too_old', 'stored', 'not_json'])).toEqual({
    stored: 2,
    duplicates: 1,
    dead: 2,
  });
});
