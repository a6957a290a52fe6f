import { createHmac, hkdfSync } from 'node:crypto';
import {
  CONFIG_FIELD,
  maskChanges,
  NO_VALUES,
  showConfiguration,
  type Attachment,
  type ConfigRecord,
  type FieldChange,
  type Json,
} from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import type { Primary } from '../postgres/primary.ts';
import { perTimeline } from '../postgres/timeline.ts';
import {
  decryptText,
  encryptText,
  identityOf,
  type Ciphertext,
  type DataKey,
  type Place,
} from './ciphertext.ts';
import { newDataKeys } from './data-keys.ts';
import { newRegistrations, type Registrations } from './registrations.ts';

type Connection = pg.Pool | pg.ClientBase;

/** A record with an encrypted configuration. */
export interface StoredRecord extends Omit<ConfigRecord, 'config'> {
  /** Null for an empty configuration. */
  readonly config: Ciphertext | null;
}

export type Encrypted = Pick<StoredRecord, 'id' | 'projectId' | 'config'>;

/** The fields of a record that decryption and masking need. */
export type Owner = Attachment & Pick<ConfigRecord, 'id' | 'projectId'>;

/** The changes of an activity entry, with encrypted configuration values. */
export interface StoredChanges {
  /** Changes to the configuration have no values here. */
  readonly changes: readonly (FieldChange | Pick<FieldChange, 'field'>)[];
  /** The values before and after each change to the configuration, in order; null if there are none. */
  readonly configChanges: Ciphertext | null;
}

/** Decrypts and masks stored configurations and changes. */
export interface Masker {
  /** Without defaults: a revision shows what was set. */
  revision(owner: Owner, config: Ciphertext | null, column: Place['column']): string;
  record(owner: Owner, config: Ciphertext | null): string;
  /** As `record`, for a configuration in plain text. */
  values(owner: Attachment, values: string): string;
  changes(owner: Owner, stored: StoredChanges): readonly FieldChange[];
}

export type Encrypt = (place: Place, plain: string) => Ciphertext;

/**
 * Encrypts and decrypts configurations and the targets of webhooks. `mask` and `masker` mask the values of secrets; only
 * `decryptValues` and `registrations` return them.
 * Methods that return a function load the keys and names that it needs.
 */
export interface Configurations {
  mask(connection: Connection, stored: readonly StoredRecord[]): Promise<readonly ConfigRecord[]>;
  maskOne(connection: Connection, stored: StoredRecord): Promise<ConfigRecord>;
  masker(connection: Connection, owners: readonly Owner[]): Promise<Masker>;
  readonly registrations: Registrations;
  /** Returns a function that decrypts a configuration of these projects as stored, including secrets, as JSON text. */
  decryptValues(connection: Connection, projectIds: Iterable<number>): Promise<(stored: Encrypted) => string>;
  /** Decrypts what a job is to do, or what a runtime returned for it. */
  decryptJob<T>(
    connection: Connection,
    record: Pick<Owner, 'id' | 'projectId'>,
    column: 'job.work' | 'job.output',
    text: Ciphertext,
  ): Promise<T>;
  /** Returns a function that decrypts the target of a webhook of these projects. */
  decryptTargets(
    connection: Connection,
    projectIds: Iterable<number>,
  ): Promise<(webhook: Pick<Owner, 'id' | 'projectId'>, target: Ciphertext) => string>;
  /** @throws DomainError `project_not_found` if one of the projects is deleted */
  encrypter(connection: Connection, projectIds: Iterable<number>): Promise<Encrypt>;
  /** Returns a keyed hash function. Its hashes reveal nothing without the data key of the project. */
  fingerprinter(
    connection: Connection,
    projectIds: Iterable<number>,
  ): Promise<(projectId: number, text: string) => string>;
}

/** The maximum size of the cache of masked configurations, in characters plus an overhead per entry. */
const CACHE_MAX_SIZE = 8 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;
/** The stored configuration of a record that has none. */
export const EMPTY = '{}';
const FINGERPRINTS = 'fingerprints';
const KEY_BYTES = 32;

/** A masked configuration with everything that it depends on. */
interface CachedText extends Pick<
  ConfigRecord,
  'plugin' | 'registryVersion' | 'schemaVersion' | 'pinnedVersion'
> {
  /** The identity of the ciphertext, which stays valid even after a rollback. Empty if there is none. */
  readonly identity: string;
  readonly formerPlugins: number;
  readonly text: string;
}

type TextCache = LRUCache<number, CachedText>;

export function newConfigurations(dependencies: {
  readonly masterKeys: SecretsKeys;
  readonly primary: Pick<Primary, 'timeline'>;
}): Configurations {
  const { primary } = dependencies;
  const dataKeys = newDataKeys(dependencies);
  const registrations = newRegistrations(dataKeys, dependencies);
  // After a failover, the next registration can get the version of a lost one.
  const cacheOf = perTimeline(
    () =>
      new LRUCache<number, CachedText>({
        maxSize: CACHE_MAX_SIZE,
        sizeCalculation: ({ text }) => text.length + ENTRY_OVERHEAD,
      }),
  );

  const cachedText = (cache: TextCache, stored: StoredRecord): string | undefined => {
    // Peeks, since tracking each use would slow down every read. Texts in use are evicted like any other and decrypted again.
    const cached = cache.peek(stored.id);
    const isCurrent =
      cached !== undefined &&
      (stored.config === null) === (cached.identity === '') &&
      stored.config?.startsWith(cached.identity) !== false &&
      cached.plugin === stored.plugin &&
      cached.registryVersion === stored.registryVersion &&
      cached.schemaVersion === stored.schemaVersion &&
      cached.pinnedVersion === stored.pinnedVersion &&
      cached.formerPlugins === stored.formerPlugins.length;
    return isCurrent ? cached.text : undefined;
  };
  const cacheText = (cache: TextCache, record: StoredRecord, text: string): void => {
    const { id, plugin, registryVersion, schemaVersion, pinnedVersion, formerPlugins, config } = record;
    const shownBy = { plugin, registryVersion, schemaVersion, pinnedVersion };
    const identity = config === null ? '' : identityOf(config);
    cache.set(id, { identity, ...shownBy, formerPlugins: formerPlugins.length, text });
  };
  const masker = async (connection: Connection, owners: readonly Owner[]): Promise<Masker> => {
    const keyOf = await dataKeys.load(connection, new Set(owners.map(({ projectId }) => projectId)));
    const registrationOf = await registrations.load(connection, owners);
    const decrypted = (owner: Owner, column: Place['column'], ciphertext: Ciphertext | null): string =>
      ciphertext === null ? EMPTY : decryptText(keyOf(owner.projectId), placeOf(owner, column), ciphertext);
    return {
      revision: (owner, config, column) =>
        showConfiguration(decrypted(owner, column, config), {
          ...registrationOf(owner),
          defaults: NO_VALUES,
        }),
      record: (owner, config) =>
        showConfiguration(decrypted(owner, 'config_record.config', config), registrationOf(owner)),
      values: (owner, values) => showConfiguration(values, registrationOf(owner)),
      changes: (owner, { changes, configChanges }) => {
        if (configChanges === null) return changes as readonly FieldChange[];
        const text = decrypted(owner, 'activity.config_changes', configChanges);
        return maskChanges(withValues(changes, text), registrationOf(owner).secretNames);
      },
    };
  };

  const mask: Configurations['mask'] = async (connection, stored) => {
    const cache = cacheOf(primary.timeline);
    const texts = stored.map((record) =>
      record.config === null && record.registryVersion === null ? EMPTY : cachedText(cache, record),
    );
    const missing = stored.filter((_, i) => texts[i] === undefined);
    const maskMissing = missing.length === 0 ? null : await masker(connection, missing);
    const pauseAfter = readingPauses();
    const masked: ConfigRecord[] = [];
    for (const [i, record] of stored.entries()) {
      const text = texts[i] ?? maskMissing?.record(record, record.config) ?? EMPTY;
      if (texts[i] === undefined) cacheText(cache, record, text);
      masked.push({ ...record, config: text });
      if (texts[i] === undefined) await pauseAfter(text.length);
    }
    return masked;
  };

  return {
    masker,
    mask,
    maskOne: async (connection, stored) => (await mask(connection, [stored]))[0] as ConfigRecord,

    registrations,

    async decryptValues(connection, projectIds) {
      const keyOf = await dataKeys.load(connection, projectIds);
      return (stored) => storedValues(keyOf(stored.projectId), stored, stored.config);
    },

    async decryptJob<T>(
      connection: Connection,
      record: Pick<Owner, 'id' | 'projectId'>,
      column: 'job.work' | 'job.output',
      text: Ciphertext,
    ) {
      const key = (await dataKeys.load(connection, [record.projectId]))(record.projectId);
      return JSON.parse(decryptText(key, placeOf(record, column), text)) as T;
    },

    async decryptTargets(connection, projectIds) {
      const keyOf = await dataKeys.load(connection, projectIds);
      return (webhook, target) =>
        decryptText(keyOf(webhook.projectId), placeOf(webhook, 'webhook.target'), target);
    },

    async encrypter(connection, projectIds) {
      const ids = [...projectIds];
      const keyOf = await dataKeys.load(connection, ids);
      for (const id of ids) keyOf(id);
      return (place, plain) => encryptText(keyOf(place.projectId), place, plain);
    },

    async fingerprinter(connection, projectIds) {
      const keyOf = await dataKeys.load(connection, projectIds);
      return (projectId, text) => {
        const derived = Buffer.from(hkdfSync('sha256', keyOf(projectId).key, '', FINGERPRINTS, KEY_BYTES));
        return createHmac('sha256', derived).update(text).digest('base64url');
      };
    },
  };
}

export function storedValues(
  key: DataKey,
  record: Pick<Owner, 'id' | 'projectId'>,
  config: Ciphertext | null,
): string {
  return config === null ? EMPTY : decryptText(key, placeOf(record, 'config_record.config'), config);
}

export function placeOf({ projectId, id }: Pick<Owner, 'id' | 'projectId'>, column: Place['column']): Place {
  return { projectId, column, row: id };
}

/** Returns whether an entry stores the values of this change encrypted. */
export function isConfigChange({ field }: Pick<FieldChange, 'field'>): boolean {
  return field.startsWith(CONFIG_FIELD);
}

/** Adds the decrypted values to the changes to the configuration. */
function withValues(changes: StoredChanges['changes'], text: string): readonly FieldChange[] {
  const values = (JSON.parse(text) as readonly (readonly [Json, Json])[]).values();
  return changes.map((change) => {
    if (!isConfigChange(change)) return change as FieldChange;
    const [before = null, after = null] = values.next().value ?? [];
    return { field: change.field, before, after };
  });
}
