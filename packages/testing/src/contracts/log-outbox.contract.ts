import { drainOutbox, type ConfigRecord, type JobLine, type LogOutbox } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { aSettlement } from '../builders/a-settlement.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { linesOf } from './lines-of.ts';

const CLAIM = { leaseMs: 60_000, except: [] };
const LEASE_MS = 30_000;
const MANY = 600;

const { uuid } = seededRandomness(79);

/** Ends a job that wrote these lines, in a new project. */
async function ended(ports: Ports, lines: readonly JobLine[]): Promise<ConfigRecord> {
  const record = await aRecord(ports, await aFamily(ports));
  await ports.jobs.queue(aJob(record, { id: uuid() }), null);
  const job = await ports.runs.claim(CLAIM);
  if (job?.record.id !== record.id) throw new Error('another job is due');
  await ports.runs.settle(job, async () => aSettlement({ lines }));
  return record;
}

function manyLines(length: number, message = 'line'): readonly JobLine[] {
  return Array.from({ length }, (_, i) => ({ type: 'INFO', message: `${message} ${i}` }));
}

async function drain({ outbox, logs }: Ports): Promise<number> {
  return drainOutbox({ outbox, log: logs });
}

export function logOutboxContract(test: TestWith<Ports>): void {
  test('the outbox is empty if no job wrote a line', async (ports) => {
    expect(await ports.outbox.take()).toEqual([]);
    expect(await drain(ports)).toBe(0);
  });

  test('the lines of an ended job are taken with unique ids, and kept until they are removed', async (ports) => {
    const record = await ended(ports, manyLines(2));
    const taken = await ports.outbox.take();
    expect(taken).toHaveLength(3);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(3);
    for (const { recordId, projectId, plugin, source } of taken) {
      const { id, ...of } = record;
      expect({ recordId, projectId, plugin, source }).toEqual({
        recordId: id,
        projectId: of.projectId,
        plugin: of.plugin,
        source: 'SYSTEM',
      });
    }
    expect(await ports.outbox.take()).toEqual([]);
    await ports.passTime(LEASE_MS);
    const again = await ports.outbox.take();
    expect(again.map(({ id }) => id).toSorted()).toEqual(taken.map(({ id }) => id).toSorted());
    await ports.outbox.remove(again);
    await ports.passTime(LEASE_MS);
    expect(await ports.outbox.take()).toEqual([]);
  });

  test('lines are in the log once, even if their drain was killed before it removed them', async (ports) => {
    const record = await ended(ports, manyLines(3));
    const killed: LogOutbox = { ...ports.outbox, remove: () => Promise.reject(new Error('killed')) };
    await expect(drainOutbox({ outbox: killed, log: ports.logs })).rejects.toThrow('killed');
    await ports.passTime(LEASE_MS);
    expect(await drain(ports)).toBe(4);
    expect((await linesOf(ports, record)).slice(1)).toEqual(manyLines(3));
  });

  test('lines are stored once the log accepts entries again after a failure', async (ports) => {
    const record = await ended(ports, manyLines(3));
    const log = { append: () => Promise.reject(new Error('no log')) };
    await expect(drainOutbox({ outbox: ports.outbox, log })).rejects.toThrow('no log');
    await ports.passTime(LEASE_MS);
    expect((await linesOf(ports, record)).slice(1)).toEqual(manyLines(3));
  });

  test('many lines of one project are taken in chunks, and do not delay other projects', async (ports) => {
    const busy = await ended(ports, manyLines(MANY));
    const other = await ended(ports, manyLines(1, 'other'));
    const first = await ports.outbox.take();
    expect(first.length).toBeLessThan(MANY / 2);
    expect(first.filter(({ recordId }) => recordId === other.id)).toHaveLength(2);
    await ports.logs.append(first);
    await ports.outbox.remove(first);
    expect((await linesOf(ports, busy)).slice(1)).toEqual(manyLines(MANY));
  });

  test('concurrent drains take each line once', async (ports) => {
    for (let i = 0; i < 4; i++) await ended(ports, manyLines(50));
    const chunks = await Promise.all(Array.from({ length: 6 }, () => ports.outbox.take()));
    const ids = chunks.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
}
