import {
  cancelJob,
  createRecord,
  INTEGER_MAX,
  queueJob,
  rearrangeRecord,
  registerPlugin,
  requireSameBody,
  updateRecord,
  type Author,
  type ConfigRecord,
  type FamilyRef,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aPlugin,
  mustStore,
  once as withOnce,
  secondsLater,
  seededRandomness,
  type KeyOf,
  type Once,
} from '@plugin-config/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { postgresPorts, type PostgresPorts } from './postgres-ports.ts';
import { modelOf, type WorkPorts } from './random-work.fixture.ts';

const withEmptied = databaseOfFile();

const REGISTERED = aPlugin({ id: 7 });
const WHOLE = { limit: 1000, offset: 0 };
const LIVE = { deleted: false, enabled: null, plugin: null, valid: null, outdated: null, search: null };

const plugin = fc.constantFrom(REGISTERED.id, 8);
const order = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(INTEGER_MAX - 1, INTEGER_MAX));
const fields = fc.record(
  {
    plugin,
    order,
    enabled: fc.boolean(),
    deleted: fc.boolean(),
    description: fc.constantFrom('a', '€😀', null),
  },
  { requiredKeys: [] },
);
/** The clocks of the requests are not in the order of the writes. */
const seconds = fc.integer({ min: -5, max: 5 });
/** The index of a record or job, in the order of creation. */
const target = fc.nat(5);
/** Few idempotency keys, so some are repeated. */
const once = fc.option(fc.constantFrom('one', 'two'), { freq: 2 });
/** The precondition of a request. */
const condition = fc.constantFrom('any', 'current', 'stale');
const drafts = fc.array(fc.record({ plugin, fields }), { minLength: 1, maxLength: 4 });

const step = fc.oneof(
  fc.record({ kind: fc.constant('create'), drafts, requireRegistered: fc.boolean(), once, seconds }),
  fc.record({ kind: fc.constant('update'), target, fields, condition, seconds }),
  fc.record({ kind: fc.constant('rearrange'), target, order, condition, seconds }),
  fc.record({ kind: fc.constant('queue'), target, condition, once, seconds }),
  fc.record({ kind: fc.constant('cancel'), target, seconds }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** Runs steps on PostgreSQL or on the model. */
function serviceOn(ports: WorkPorts, family: FamilyRef) {
  const made: ConfigRecord[] = [];
  const jobs: { readonly record: ConfigRecord; readonly id: string }[] = [];
  const randomness = seededRandomness();
  const authorOf = ({ seconds: at }: Step) =>
    anAuthor({ actor: { keyId: 1, label: 'key' }, at: secondsLater(at) });

  /** Creates records concurrently. Records with a position come first, like in a batch. */
  const create = async (work: Of<'create'>): Promise<unknown> => {
    const dependencies = { ...ports, requireRegistered: work.requireRegistered };
    const sorted = work.drafts.toSorted((a, b) => rank(a.fields.order) - rank(b.fields.order));
    const outcomes = await Promise.all(
      sorted.map(({ plugin: attached, fields: given }, i) => {
        const named = { ...given, plugin: attached, name: `${made.length}-${i}` };
        const author = authorOf(work);
        const key = work.once === null || i > 0 ? null : keyOf(work.once, given);
        return settled(
          withKey(key, author, (by) => createRecord(dependencies, { family, fields: named, author: by })),
        );
      }),
    );
    made.push(...outcomes.flatMap(({ result }) => (result?.isFirst === true ? [result.value] : [])));
    return outcomes;
  };

  const versionOf = async (work: Of<'update' | 'rearrange' | 'queue'>, record: ConfigRecord) => {
    if (work.kind !== 'rearrange') return record.version;
    return (await ports.counters())[1];
  };

  const change = async (work: Of<'update' | 'rearrange' | 'queue'>): Promise<unknown> => {
    const first = made[work.target];
    const found = first && (await ports.records.find(first)).value;
    if (first === undefined || found == null) return null;
    const version = await versionOf(work, found);
    const precondition = { any: null, current: [version], stale: [version - 1] }[work.condition];
    const author = authorOf(work);
    if (work.kind === 'update') {
      const dependencies = { ...ports, requireRegistered: false };
      const record = work.condition === 'any' ? first : found;
      return settled(updateRecord(dependencies, { record, precondition, author, change: work.fields }));
    }
    if (work.kind === 'rearrange') {
      const wanted = { plugin: found.plugin, name: found.name };
      return settled(rearrangeRecord(ports, { family, precondition, author, order: work.order, wanted }));
    }
    const key = work.once === null ? null : keyOf(`job ${work.once}`, work.target);
    const queued = await settled(
      withKey(key, author, (by) =>
        queueJob(
          { ...ports, randomness },
          { record: found, precondition, author: by, job: { type: null, work: {} } },
        ),
      ),
    );
    if (key === null && queued.result !== undefined)
      jobs.push({ record: first, id: queued.result.value.jobId });
    return queued;
  };

  const cancel = async (work: Of<'cancel'>): Promise<unknown> => {
    const job = jobs[work.target];
    return job && settled(cancelJob(ports, { ...job, author: authorOf(work) }));
  };

  return {
    run: (work: Step): Promise<unknown> => {
      if (work.kind === 'create') return create(work);
      return work.kind === 'cancel' ? cancel(work) : change(work);
    },
    counters: ports.counters,
    /** Returns how many records fit into several byte limits. */
    chunks: () =>
      Promise.all(
        [1, 20, 60, 200].map(async (bytes) => {
          const ids = made.map(({ id }) => id);
          return (await ports.records.chunk(family, ids, bytes)).length;
        }),
      ),
    state: () =>
      Promise.all(
        made.map(async (record) => ({
          record: (await ports.records.find(record)).value,
          history: await ports.activity.page(record, WHOLE),
          jobs: await ports.jobs.page(record, { state: null }, WHOLE),
        })),
      ),
  };
}

function rank(given: number | undefined): number {
  return given === undefined ? 1 : 0;
}

function keyOf(name: string, body: unknown): KeyOf {
  return { name, digest: JSON.stringify(body) };
}

/** Does the work, with a key unless it is null. Rejects a repetition with another body. */
async function withKey<T>(
  key: KeyOf | null,
  author: Author,
  work: (author: Author) => Promise<T>,
): Promise<Once<T>> {
  if (key === null) return { value: await work(author), digest: '', isFirst: true };
  const result = await mustStore(withOnce(key, (of) => work({ ...author, once: of })));
  requireSameBody(key.digest, result.digest);
  return result;
}

async function settled<T>(work: Promise<T>): Promise<{ readonly result?: T; readonly rejected?: unknown }> {
  try {
    return { result: await work };
  } catch (error) {
    const { code, attr } = error as { readonly code: unknown; readonly attr: unknown };
    return { rejected: [code, attr] };
  }
}

function workPortsOf(ports: PostgresPorts, family: FamilyRef): WorkPorts {
  const counters = async () => {
    const { familyVersion, value } = await ports.records.list(family, LIVE, WHOLE);
    return [familyVersion, value.listVersion] as const;
  };
  return { ...ports, counters };
}

/** Removes values that stores may choose: ids, which may have gaps, and times by their clocks. */
function comparable(value: unknown): unknown {
  const chosen = new Set(['id', 'recordId', 'finishedAt']);
  return JSON.parse(
    JSON.stringify(value ?? null, (key, item: unknown) => (chosen.has(key) ? item !== null : item)),
  );
}

/** Returns the result of a step, and by how much it increments the family version and the list version. */
async function traceOf(service: ReturnType<typeof serviceOn>, work: Step): Promise<unknown> {
  const before = await service.counters();
  const result = await service.run(work);
  const after = await service.counters();
  const isBatch = work.kind === 'create' && work.drafts.length > 1;
  return comparable({
    result,
    increments: isBatch ? null : after.map((count, i) => count - (before[i] ?? 0)),
  });
}

test(
  'PostgreSQL returns and stores the same as the domain for random work',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), (steps) =>
        withEmptied(async (database) => {
          const ports = postgresPorts(database);
          const family = await aFamily(ports);
          await registerPlugin(ports, REGISTERED, anAuthor());
          const postgres = serviceOn(workPortsOf(ports, family), family);
          const model = serviceOn(modelOf(family, REGISTERED), family);
          for (const work of steps) expect(await traceOf(postgres, work)).toEqual(await traceOf(model, work));
          expect(await postgres.chunks()).toEqual(await model.chunks());
          expect(comparable(await postgres.state())).toEqual(comparable(await model.state()));
        }),
      ),
      { numRuns: propertyRuns(10) },
    ),
  propertyTimeout(60_000),
);
