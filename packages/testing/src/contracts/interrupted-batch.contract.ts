import {
  ingest,
  type BatchStores,
  type ConfigRecord,
  type IngestionStores,
  type Message,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { logOf } from './log-of.ts';

const STEPS = ['append', 'sequence', 'report', 'count', 'add', 'change reasons', 'remove'] as const;
const ALL_LETTERS = { after: 0, limit: 1000 };

type Step = (typeof STEPS)[number];

class Killed extends Error {}

/** Wraps the stores to kill the first batch after this step. */
function killedAfter(step: Step, stores: IngestionStores): IngestionStores {
  let isKilled = false;
  const kill = (done: Step): void => {
    if (done !== step || isKilled) return;
    isKilled = true;
    throw new Killed();
  };
  const killing = ({
    owners,
    days,
    log,
    sequence,
    reports,
    usage,
    deadLetters,
  }: BatchStores): BatchStores => ({
    owners,
    days,
    log: { ...log, append: (entries) => log.append(entries).finally(() => kill('append')) },
    sequence: { add: (entries, report) => sequence.add(entries, report).finally(() => kill('sequence')) },
    reports: { store: (batch) => reports.store(batch).finally(() => kill('report')) },
    usage: { lock: usage.lock, add: (used) => usage.add(used).finally(() => kill('count')) },
    deadLetters: {
      lock: deadLetters.lock,
      add: (letters, most) => deadLetters.add(letters, most).finally(() => kill('add')),
      changeReasons: (reasons) => deadLetters.changeReasons(reasons).finally(() => kill('change reasons')),
      remove: (ids) => deadLetters.remove(ids).finally(() => kill('remove')),
    },
  });
  return { withBatch: (work) => stores.withBatch((batch) => work(killing(batch))) };
}

/** Creates a batch with messages of every kind and two retried dead letters, one of which fails again. */
async function aBatch(ports: LogPorts, record: ConfigRecord): Promise<readonly Message[]> {
  await ingest(ports, [aDeadMessage({ text: 'mended' }), aDeadMessage({ text: 'dead again' })]);
  const [mended, deadAgain] = (await ports.deadLetters.list(ALL_LETTERS)).map(({ id }) =>
    anOrigin({ deadLetterId: id }),
  );
  const entries = Array.from({ length: 100 }, (_, i) => anEntry(record, { message: `${i}` }));
  return [
    ...entries,
    ...entries.slice(0, 1),
    anErrorReport(record, 'earlier'),
    anErrorReport(record, 'later'),
    aDelivery(record, { successes: 3, failures: 1 }),
    aDeadMessage({ text: 'dead' }),
    anEntry({ id: 999_999 }, { text: 'of no record' }),
    anEntry(record, { message: 'mended', ...(mended && { origin: mended }) }),
    aDeadMessage({ text: 'dead again', reason: 'invalid_message', ...(deadAgain && { origin: deadAgain }) }),
  ];
}

/** Stores a batch and retries until it succeeds. Returns the stored state and the number of attempts. */
async function stateAfter(ports: LogPorts, stores: IngestionStores): Promise<readonly [object, number]> {
  const record = await aRecord(ports, await aFamily(ports));
  const messages = await aBatch(ports, record);
  let tries = 1;
  while ((await ingest({ stores }, messages).catch(unlessKilled)) === null) tries++;
  await ports.rates.refresh(MOMENT);
  const { value } = await ports.records.find(record);
  const state = {
    entries: (await logOf(ports, record)).map(({ message }) => message).toSorted(),
    error: value?.error,
    deliveryRate: value?.deliveryRate,
    letters: (await ports.deadLetters.list(ALL_LETTERS))
      .map(({ text, reason }) => `${text}: ${reason}`)
      .toSorted(),
  };
  await ports.deadLetters.dropAll();
  return [state, tries];
}

function unlessKilled(error: unknown): null {
  if (error instanceof Killed) return null;
  throw error;
}

/** A batch that is redelivered because its worker was killed. */
export function interruptedBatchContract(test: TestWith<LogPorts>): void {
  test('an uninterrupted batch stores each of its messages once', async (ports) => {
    const [state, tries] = await stateAfter(ports, ports.stores);
    expect(tries).toBe(1);
    expect(state).toEqual({
      entries: [...Array.from({ length: 100 }, (_, i) => `${i}`), 'mended'].toSorted(),
      error: 'later',
      deliveryRate: '0.7500',
      letters: ['dead again: invalid_message', 'dead: not_json', 'of no record: unknown_plugin_config'],
    });
  });

  for (const step of STEPS) {
    test(`a batch that is killed after the step "${step}" and repeated has the same result as an uninterrupted one`, async (ports) => {
      const [undisturbed] = await stateAfter(ports, ports.stores);
      expect(await stateAfter(ports, killedAfter(step, ports.stores))).toEqual([undisturbed, 2]);
    });
  }
}
