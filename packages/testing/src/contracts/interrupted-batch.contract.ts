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
import { logOf } from './log-reading.ts';

const STEPS = ['append', 'report', 'add', 'change reasons', 'remove'] as const;
const ALL_LETTERS = { after: 0, limit: 1000 };

type Step = (typeof STEPS)[number];

class Killed extends Error {}

/** Stores whose user is killed after a step, once. */
function killedAfter(step: Step, stores: IngestionStores): IngestionStores {
  let isKilled = false;
  const kill = (done: Step): void => {
    if (done !== step || isKilled) return;
    isKilled = true;
    throw new Killed();
  };
  const killing = ({ owners, days, log, reports, deadLetters }: BatchStores): BatchStores => ({
    owners,
    days,
    log: { append: (entries) => log.append(entries).finally(() => kill('append')) },
    reports: { store: (given) => reports.store(given).finally(() => kill('report')) },
    deadLetters: {
      lock: deadLetters.lock,
      add: (letters) => deadLetters.add(letters).finally(() => kill('add')),
      changeReasons: (reasons) => deadLetters.changeReasons(reasons).finally(() => kill('change reasons')),
      remove: (ids) => deadLetters.remove(ids).finally(() => kill('remove')),
    },
  });
  return { withBatch: (work) => stores.withBatch((batch) => work(killing(batch))) };
}

/** Stores whose log takes no part in the transaction of a batch, as that of another database. */
function withLogApart({ stores, logs }: LogPorts): IngestionStores {
  return { withBatch: (work) => stores.withBatch((batch) => work({ ...batch, log: logs })) };
}

/** Some of everything, with two dead letters that are tried again: one of them is dead again. */
async function aBatch(ports: LogPorts, record: ConfigRecord): Promise<readonly Message[]> {
  await ingest(ports, [aDeadMessage({ text: 'mended' }), aDeadMessage({ text: 'dead again' })]);
  const [mended, deadAgain] = (await ports.letters.list(ALL_LETTERS)).map(({ id }) =>
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

/** Stores a batch with these stores, however often it takes. Resolves to what is there then, and how often it took. */
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
    letters: (await ports.letters.list(ALL_LETTERS))
      .map(({ text, reason }) => `${text}: ${reason}`)
      .toSorted(),
  };
  await ports.letters.dropAll();
  return [state, tries];
}

function unlessKilled(error: unknown): null {
  if (error instanceof Killed) return null;
  throw error;
}

/** A batch whose worker was killed is delivered again. */
export function interruptedBatchContract(test: TestWith<LogPorts>): void {
  test('a batch leaves what belongs to it, with a log in its transaction and apart', async (ports) => {
    for (const stores of [ports.stores, withLogApart(ports)]) {
      const [state, tries] = await stateAfter(ports, stores);
      expect(tries).toBe(1);
      expect(state).toEqual({
        entries: [...Array.from({ length: 100 }, (_, i) => `${i}`), 'mended'].toSorted(),
        error: 'later',
        deliveryRate: '0.7500',
        letters: ['dead again: invalid_message', 'dead: not_json', 'of no record: unknown_plugin_config'],
      });
    }
  });

  for (const step of STEPS) {
    test(`killed after the step "${step}" and repeated, a batch leaves what it leaves undisturbed`, async (ports) => {
      const [undisturbed] = await stateAfter(ports, ports.stores);
      for (const stores of [ports.stores, withLogApart(ports)]) {
        expect(await stateAfter(ports, killedAfter(step, stores))).toEqual([undisturbed, 2]);
      }
    });
  }
}
