import type { WireConfigRecord } from '@plugin-config/contract';
import { FAMILIES, type Family } from '@plugin-config/domain';

// A small, mutable model of how records behave, as described in docs/api/records.md.

export interface Fields {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly deleted: boolean;
}

export type Change = Partial<Fields>;

export interface Entry {
  readonly activity: string;
  readonly changes: readonly FieldChange[];
  readonly requestId: string;
}

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface ModelJob {
  readonly id: string;
  state: 'queued' | 'cancelled';
}

export interface ModelRecord {
  readonly id: number;
  readonly createdAt: string;
  fields: Fields;
  config: ReadonlyMap<string, string>;
  /** Whether the record has or had the registered plugin, which makes the token secret. */
  hasSecret: boolean;
  version: number;
  /** The entity tags of responses, by version. */
  readonly tags: { readonly version: number; readonly tag: string; readonly updatedAt: string }[];
  /** Oldest first. */
  history: readonly Entry[];
  readonly jobs: ModelJob[];
}

/** A client that follows a family. */
export interface Poller {
  version: string;
  readonly records: Map<number, WireConfigRecord>;
}

export interface ModelFamily {
  poller: Poller | null;
  readonly records: ModelRecord[];
  version: number;
  readonly tags: { readonly version: number; readonly tag: string; readonly query: string }[];
}

/** The parts of a response that are replayed to a repeated request, except for the configuration. */
export interface Replayable {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly etag: string | null;
}

export interface Model {
  readonly projects: readonly Readonly<Record<Family, ModelFamily>>[];
  /** The stored responses by project, path and Idempotency-Key. */
  readonly stored: Map<string, { readonly body: string; readonly response: Replayable }>;
}

export const MASK = '********';
const INTEGER_MAX = 2_147_483_647;

const DEFAULT_HOST = 'localhost';

/** The only registered plugin. */
export const REGISTERED = {
  id: 1,
  name: 'One',
  description: 'only for the operator',
  configSchema: [
    { key: 'host', type: 'string', site: true, default: DEFAULT_HOST },
    { key: 'token', type: 'string', secret: true },
  ],
} as const;

export function newModel(projects: number): Model {
  const family = (): ModelFamily => ({ poller: null, records: [], version: 0, tags: [] });
  const project = () =>
    Object.fromEntries(FAMILIES.map((name) => [name, family()])) as Record<Family, ModelFamily>;
  return { projects: Array.from({ length: projects }, project), stored: new Map() };
}

export const live = ({ records }: ModelFamily): readonly ModelRecord[] =>
  records.filter(({ fields }) => !fields.deleted).toSorted(byPosition);

export const byPosition = (a: ModelRecord, b: ModelRecord): number =>
  a.fields.order - b.fields.order || a.id - b.id;

/** Returns the fields of a new record; null if no position is left after the last one. */
export function created(
  family: ModelFamily,
  { plugin, ...given }: Change & Pick<Fields, 'plugin'>,
): Fields | null {
  const last = live(family).at(-1)?.fields.order ?? 0;
  if (given.order === undefined && last === INTEGER_MAX) return null;
  const fields = {
    enabled: false,
    order: last + 1,
    name: null,
    description: null,
    deleted: false,
    plugin,
    ...given,
  };
  return { ...fields, enabled: fields.enabled && !fields.deleted };
}

/** Returns the fields after a change; null if the state of the record does not allow it. */
export function changed(before: Fields, change: Change): Fields | null {
  if (before.deleted && change.enabled === true && change.deleted === undefined) return null;
  const after = { ...before, ...change };
  return { ...after, enabled: after.enabled && !after.deleted };
}

export function replacement({ order }: Fields, given: Change & Pick<Fields, 'plugin'>): Change {
  return { enabled: false, order, name: null, description: null, deleted: false, ...given };
}

/** Stores changed fields with their activity entry. */
export function applyChange(
  family: ModelFamily,
  record: ModelRecord,
  after: Fields,
  requestId: string,
): void {
  const before = record.fields;
  const changes = differences(before, after);
  if (changes.length === 0) return;
  record.fields = after;
  if (after.plugin === REGISTERED.id) maskToken(record);
  addEntry(family, record, { activity: activityName(before, after), changes, requestId });
}

/** Adds an activity entry and increments the versions. */
export function addEntry(family: ModelFamily, record: ModelRecord, entry: Entry): void {
  record.history = [...record.history, entry];
  record.version++;
  family.version++;
}

export function differences(before: object, after: Fields): readonly FieldChange[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .map(([field, value]) => ({ field, before: old.get(field) ?? null, after: value as unknown }))
    .filter((change) => change.before !== change.after);
}

function activityName(before: Fields, after: Fields): string {
  if (before.deleted !== after.deleted) return after.deleted ? 'deleted' : 'restored';
  if (before.enabled !== after.enabled) return after.enabled ? 'enabled' : 'disabled';
  return 'updated';
}

const isSecret = ({ hasSecret }: ModelRecord, key: string): boolean => hasSecret && key === 'token';

/** Replaces the configuration. Returns the invalid key, or null. */
export function configure(
  family: ModelFamily,
  record: ModelRecord,
  given: Readonly<Record<string, string>>,
  requestId: string,
): string | null {
  const known = new Set(REGISTERED.configSchema.map(({ key }): string => key));
  const unknown = Object.keys(given).find((key) => !known.has(key) && record.fields.plugin === REGISTERED.id);
  if (unknown !== undefined) return unknown;
  const { config: before } = record;
  const after = new Map([...before].filter(([key, value]) => isSecret(record, key) && value !== ''));
  const sent = new Set<string>();
  for (const [key, value] of Object.entries(given)) {
    if (!isSecret(record, key)) after.set(key, value);
    else if (value === '') after.delete(key);
    else if (value !== MASK) {
      after.set(key, value);
      sent.add(key);
    }
  }
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const replaced = keys.filter((key) => sent.has(key) || before.get(key) !== after.get(key));
  const shownBefore = maskedConfig(record);
  record.config = after;
  if (replaced.length === 0) return null;
  const shownAfter = maskedConfig(record);
  const changes = replaced.map((key) => ({
    field: `config.${key}`,
    before: shownBefore[key] ?? null,
    after: shownAfter[key] ?? null,
  }));
  addEntry(family, record, { activity: 'config_updated', changes, requestId });
  return null;
}

/** Masks the secret of the registered plugin, also in the history. */
function maskToken(record: ModelRecord): void {
  record.hasSecret = true;
  record.history = record.history.map((entry) => ({
    ...entry,
    changes: entry.changes.map(({ field, before, after }) =>
      field === 'config.token'
        ? { field, before: masked(before), after: masked(after) }
        : { field, before, after },
    ),
  }));
}

function masked<T>(value: T): T | typeof MASK {
  return value === null || value === '' ? value : MASK;
}

/** Returns the configuration as responses show it, with the default of the registered plugin. */
export function shownConfig(record: ModelRecord): Readonly<Record<string, string>> {
  const defaults = record.fields.plugin === REGISTERED.id ? { host: DEFAULT_HOST } : {};
  return { ...defaults, ...maskedConfig(record) };
}

/** Returns what somebody has set, as the history shows it. */
function maskedConfig(record: ModelRecord): Readonly<Record<string, string>> {
  const shown = [...record.config].map(([key, value]) => [
    key,
    isSecret(record, key) ? masked(value) : value,
  ]);
  return Object.fromEntries(shown);
}
