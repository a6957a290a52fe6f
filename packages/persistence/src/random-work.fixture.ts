import {
  byPosition,
  describeCancellation,
  describeCreation,
  describeMove,
  checkPrecondition,
  isCancellable,
  itemsThatFit,
  notBefore,
  notFound,
  pluginInfo,
  recordBytes,
  unregistered,
  type ActivityEntry,
  type ActivityLog,
  type ConfigRecord,
  type ConfigurationValues,
  type ConfigRecordStore,
  type CreateOptions,
  type FamilyRef,
  type Job,
  type JobStore,
  type JsonSchemas,
  type NewActivity,
  type Plugin,
  type PluginStore,
  type Precondition,
  type RecordDraft,
  type RequestKey,
} from '@plugin-config/domain';
import { jsonSchemas } from './json-schema/ajv-json-schemas.ts';

/** The parts of the stores that random work uses. */
export interface WorkPorts {
  readonly records: Pick<ConfigRecordStore, 'create' | 'kept' | 'find' | 'save' | 'lock' | 'chunk'>;
  readonly plugins: Pick<PluginStore, 'registration' | 'idsOf'>;
  readonly configurationValues: ConfigurationValues;
  readonly jsonSchemas: JsonSchemas;
  readonly activity: Pick<ActivityLog, 'page'>;
  readonly jobs: Pick<JobStore, 'queue' | 'cancel' | 'page'>;
  readonly counters: () => Promise<readonly [familyVersion: number, listVersion: number]>;
}

/** Models one family and one registered plugin. Uses the domain's functions where PostgreSQL uses SQL. */
export function modelOf(family: FamilyRef, registered: Plugin): WorkPorts {
  const records = new Map<number, ConfigRecord>();
  const history = new Map<number, readonly ActivityEntry[]>();
  const kept = new Map<string, { readonly digest: string; readonly value: unknown }>();
  const jobs = new Map<string, Job>();
  let [familyVersion, listVersion] = [0, 0];

  const stored = (id: number): ConfigRecord => {
    const record = records.get(id);
    if (record === undefined) throw notFound();
    return record;
  };
  const live = () => [...records.values()].filter(({ deleted }) => !deleted).toSorted(byPosition);
  const infoOf = (plugin: number, formerPlugins: readonly number[] = []) => ({
    pluginInfo: plugin === registered.id ? pluginInfo(registered) : null,
    registryVersion: [plugin, ...formerPlugins].includes(registered.id) ? 1 : null,
  });

  const addEntry = (id: number, entry: NewActivity): void => {
    const entries = history.get(id) ?? [];
    const { at } = notBefore(entry, entries.at(-1)?.at ?? entry.at);
    history.set(id, [...entries, { ...entry, at, id: entries.length }]);
  };
  const storeRecord = (record: ConfigRecord, entry: NewActivity): ConfigRecord => {
    const current = { ...record, ...infoOf(record.plugin, record.formerPlugins) };
    records.set(record.id, current);
    addEntry(record.id, entry);
    return current;
  };
  const countChange = (): void => {
    familyVersion += 1;
    listVersion += 1;
  };
  const once = <T>({ name, digest, repeat }: RequestKey, work: () => T): T => {
    const first = kept.get(name);
    if (first !== undefined) {
      repeat(first.digest);
      return first.value as T;
    }
    const value = work();
    kept.set(name, { digest, value });
    return value;
  };

  const create = (draft: RecordDraft, { author: given, requireRegistered }: CreateOptions): ConfigRecord => {
    const { once: _, ...author } = given;
    if (requireRegistered && draft.plugin !== registered.id) throw unregistered(draft.plugin);
    const placed = { ...draft, order: draft.order ?? 1 + (live().at(-1)?.order ?? 0) };
    countChange();
    const record = {
      ...family,
      ...placed,
      ...infoOf(draft.plugin),
      id: records.size + 1,
      config: '{}',
      formerPlugins: [],
      schemaVersion: 1,
      pinnedVersion: null,
      error: null,
      deliveryRate: null,
      createdAt: author.at,
      updatedAt: author.at,
      version: 1,
      configVersion: 1,
    };
    return storeRecord(record, describeCreation(placed, author));
  };

  const queue = (job: Job, precondition: Precondition): void => {
    checkPrecondition(precondition, stored(job.record.id).version);
    const { actor, requestId, createdAt: at } = job;
    jobs.set(job.id, job);
    addEntry(job.record.id, { activity: 'job_queued', actor, requestId, at, changes: [] });
    familyVersion += 1;
  };

  return {
    counters: async () => [familyVersion, listVersion],
    activity: {
      page: async ({ id }) => {
        const entries = history.get(id) ?? [];
        return { count: entries.length, items: entries.toReversed() };
      },
    },
    plugins: {
      idsOf: async () => new Map(),
      registration: async (id) => ({
        plugin: id === registered.id ? registered : null,
        registryVersion: infoOf(id).registryVersion,
        version: id === registered.id ? '0' : null,
        schemaVersion: 1,
        secretNames: new Set(),
        defaults: new Map(),
      }),
    },
    jsonSchemas,
    configurationValues: {
      of: async ({ id }) => ({
        record: stored(id),
        plugin: registered,
        secretNames: new Set(),
        values: '{}',
        defaults: new Map(),
        jsonSchemas,
      }),
    },
    records: {
      create: async (_family, draft, options) => {
        const { once: key } = options.author;
        return key === undefined ? create(draft, options) : once(key, () => create(draft, options));
      },
      // No schema of the model rejects a new record.
      kept: async () => null,
      find: async ({ id }) => ({
        familyVersion,
        registryVersion: 1,
        managedBy: null,
        isInvalid: false,
        value: records.get(id) ?? null,
      }),
      save: async ({ before, after, activity }) => {
        const { version } = stored(before.id);
        if (version !== before.version) return null;
        countChange();
        const next = { ...before, ...after, updatedAt: activity.at, version: version + 1 };
        return storeRecord(next, activity);
      },
      lock: (_, work) =>
        work({
          listVersion,
          live: live(),
          record: async (id) => live().find((record) => record.id === id) ?? null,
          move: async (positions, author) => {
            if (positions.length > 0) countChange();
            for (const { id, order } of positions) {
              const before = stored(id);
              const { at: updatedAt } = notBefore(author, before.updatedAt);
              const moved = { ...before, order, updatedAt, version: before.version + 1 };
              storeRecord(moved, describeMove(before.order, order, author));
            }
          },
        }),
      chunk: async (_, ids, maxBytes) => itemsThatFit(ids.map(stored), recordBytes, maxBytes),
    },
    jobs: {
      queue: async (job, precondition, { keep } = {}) => {
        if (keep !== undefined)
          return once(keep.key, () => {
            queue(job, precondition);
            return keep.response;
          });
        queue(job, precondition);
        return null;
      },
      cancel: async ({ id: recordId }, id, author) => {
        const job = jobs.get(id);
        if (job === undefined) return null;
        if (!isCancellable(job.state)) return job.state;
        jobs.set(id, { ...job, state: 'cancelled', finishedAt: author.at });
        addEntry(recordId, describeCancellation(author));
        familyVersion += 1;
        return job.state;
      },
      page: async ({ id }) => {
        const items = [...jobs.values()]
          .filter(({ record }) => record.id === id)
          .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
          .map(({ work: _work, ...job }) => job);
        return { count: items.length, items };
      },
    },
  };
}
