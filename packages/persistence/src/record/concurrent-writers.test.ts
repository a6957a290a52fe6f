import {
  DomainError,
  OPERATOR,
  deleteRecord,
  rearrangeRecord,
  updateRecord,
  type ActivityEntry,
  type ConfigRecord,
  type FamilyRef,
} from '@plugin-config/domain';
import { aFamily, aJob, aPlugin, aRecord, anAuthor, seededRandomness } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { nodeRandomness } from '../crypto/node-randomness.ts';
import { openDatabase } from '../configuration/encrypted-database.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';

const WRITERS = 12;
const STEPS = 15;
const SEED = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 1e9));

/** Runs a test with two connection pools, as if with two processes. */
function withTwoPools(run: (sides: readonly [PostgresPorts, PostgresPorts]) => Promise<void>): Promise<void> {
  return withDatabase(async (database, url) => {
    const other = openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS });
    try {
      await run([postgresPorts(database), postgresPorts(other)]);
      const { rows } = await database.pool.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      expect(rows).toEqual([{ deadlocks: '0' }]);
    } finally {
      await other.close();
    }
  });
}

test(`concurrent writes have the same result as some serial order of them (SEED=${SEED})`, () =>
  withTwoPools(async (sides) => {
    const families = [await aFamily(sides[0]), await aFamily(sides[1]), await aFamily(sides[0])];
    for (const family of families)
      await Promise.all(Array.from({ length: 4 }, () => aRecord(sides[0], family, { plugin: 1 })));
    await Promise.all(
      Array.from({ length: WRITERS }, (_, n) => write(sides[n % 2 === 0 ? 0 : 1], families, dice(SEED + n))),
    );
    for (const family of families) await checkFamily(sides[0], family);
  }));

const NO_DEFAULTS = new Map();

type Dice = (sides: number) => number;

function dice(seed: number): Dice {
  const { bytes } = seededRandomness(seed);
  return (sides) => {
    const [high = 0, low = 0] = bytes(2);
    return (high * 256 + low) % sides;
  };
}

async function write(ports: PostgresPorts, families: readonly FamilyRef[], roll: Dice): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    const family = families[roll(families.length)] ?? families[0];
    if (family !== undefined) await writeOnce(ports, family, roll);
  }
}

async function writeOnce(ports: PostgresPorts, family: FamilyRef, roll: Dice): Promise<void> {
  const record = await anyRecord(ports, family, roll);
  const dependencies = { ...ports, requireRegistered: false };
  const order = { record, precondition: null, author: anAuthor({ actor: OPERATOR, at: new Date() }) };
  const plugin = 1 + roll(3);
  switch (roll(8)) {
    case 0:
      return void (await aRecord(ports, family, { plugin }));
    case 1:
      return void (await deleteRecord(dependencies, order));
    case 2:
      return void (await updateRecord(dependencies, { ...order, change: { plugin } }));
    case 3:
      return void (await ports.jobs.queue(aJob(record, { id: nodeRandomness().uuid() }), null));
    case 4:
      return void (await ports.plugins.register(aPlugin({ id: plugin }), NO_DEFAULTS, anAuthor()));
    case 5:
      return void (await ports.plugins.remove(plugin, anAuthor()));
    case 6:
      return rearrange(ports, family, roll);
    default:
      return void (await updateRecord(dependencies, { ...order, change: { name: `Name ${roll(1000)}` } }));
  }
}

async function anyRecord({ records }: PostgresPorts, family: FamilyRef, roll: Dice): Promise<ConfigRecord> {
  const filter = { deleted: false, enabled: null, plugin: null, valid: null, outdated: null, search: null };
  const { value } = await records.list(family, filter, { limit: 1000, offset: 0 });
  const record = value.items[roll(value.items.length)];
  return record ?? aRecord({ records }, family);
}

async function rearrange(ports: PostgresPorts, family: FamilyRef, roll: Dice): Promise<void> {
  const { id, plugin, name } = await anyRecord(ports, family, roll);
  const author = anAuthor({ at: new Date(), requestId: `moves-${id}` });
  const moving = rearrangeRecord(ports, {
    family,
    precondition: null,
    author,
    order: 1 + roll(6),
    wanted: { plugin, name },
  });
  await moving.catch((error: unknown) => {
    if (!(error instanceof DomainError) || !['not_found', 'invalid_input'].includes(error.code)) throw error;
  });
}

/** Checks that live records have different positions and that every history is consistent. */
async function checkFamily(ports: PostgresPorts, family: FamilyRef): Promise<void> {
  const filter = { enabled: null, plugin: null, valid: null, outdated: null, search: null };
  const page = { limit: 1000, offset: 0 };
  const live = (await ports.records.list(family, { ...filter, deleted: false }, page)).value.items;
  const deleted = (await ports.records.list(family, { ...filter, deleted: true }, page)).value.items;
  expect(new Set(live.map(({ order }) => order)).size).toBe(live.length);
  for (const record of [...live, ...deleted]) {
    const { items } = await ports.activity.page(record, page);
    checkHistory(record, items.toReversed());
  }
}

/** Checks that each change starts with the result of the previous one, and that the last one ends with the current record. */
function checkHistory(record: ConfigRecord, history: readonly ActivityEntry[]): void {
  const changes = history.filter(({ activity }) => activity !== 'job_queued');
  expect(changes).toHaveLength(record.version);
  expect(history).toEqual(history.toSorted((a, b) => a.at.getTime() - b.at.getTime()));
  const fields = new Map<string, unknown>();
  for (const { field, before, after } of changes.flatMap((entry) => entry.changes)) {
    expect(before).toEqual(fields.get(field) ?? null);
    fields.set(field, after);
  }
  for (const [field, value] of fields) expect(record).toHaveProperty(field, value);
}
