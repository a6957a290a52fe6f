import { createHmac, hkdfSync } from 'node:crypto';
import {
  CONFIG_FIELD,
  maskChanges,
  maskConfiguration,
  type ConfigRecord,
  type FieldChange,
  type JobWork,
  type Json,
  type SecretNames,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import type { Primary } from '../postgres/primary.ts';
import { decryptText, encryptText, identityOf, type Ciphertext, type Place } from './ciphertext.ts';
import { newDataKeys } from './data-keys.ts';
import { newDefaults, type DefaultsReader } from './defaults.ts';
import { newSecretNames, type MaskedBy } from './secret-names.ts';

type On = pg.Pool | pg.ClientBase;

/** A record whose configuration is not decrypted. */
export interface StoredRecord extends Omit<ConfigRecord, 'config'> {
  /** Null for an empty configuration. */
  readonly config: Ciphertext | null;
}

/** Whatever names the place of a configuration, and the configuration. */
export type Encrypted = Pick<StoredRecord, 'id' | 'projectId' | 'config'>;

/** What the texts about a record are decrypted and masked by. */
export type Owner = MaskedBy & Pick<ConfigRecord, 'id' | 'projectId'>;

/** An activity entry whose values of the configuration are not decrypted. */
export interface StoredChanges {
  /** Changes of the configuration have a field alone. */
  readonly changes: readonly (FieldChange | Pick<FieldChange, 'field'>)[];
  /** The values before and after of those, in their order; null if there are none. */
  readonly configChanges: Ciphertext | null;
}

/** Decrypts and masks what is stored about records. */
export interface Shown {
  /** The configuration of a revision. */
  revision(owner: Owner, config: Ciphertext): string;
  /** The configuration of the record. */
  present(owner: Owner, config: Ciphertext | null): string;
  changes(owner: Owner, stored: StoredChanges): readonly FieldChange[];
}

export type Encrypt = (place: Place, plain: string) => Ciphertext;

/**
 * Encrypts configurations, and is the only way back to text. Whatever is shown comes from `show` or `shown`, which mask. The values of
 * secrets come from `decryptValues` alone.
 */
export interface Configurations {
  /** The records as they are shown. */
  show(on: On, stored: readonly StoredRecord[]): Promise<readonly ConfigRecord[]>;
  /** Prepares to show other texts about these records. */
  shown(on: On, owners: readonly Owner[]): Promise<Shown>;
  /** Prepares to tell what is secret in these records. */
  secretNames(on: On, records: readonly MaskedBy[]): Promise<(record: MaskedBy) => SecretNames>;
  /** Prepares to decrypt the configurations of a project, with the values of secrets, as JSON text. */
  decryptValues(on: On, projectId: number): Promise<(stored: Encrypted) => string>;
  /** Decrypts the work of a job, for the worker that runs it. */
  decryptWork(on: On, record: Pick<Owner, 'id' | 'projectId'>, work: Ciphertext): Promise<JobWork>;
  /** The defaults of plugins, which new records begin with. */
  readonly defaults: DefaultsReader;
  /** Prepares to encrypt what is stored about these projects. */
  encrypter(on: On, projectIds: Iterable<number>): Promise<Encrypt>;
  /** Prepares to make texts that tell nothing of what they were made of to whoever lacks the data key of the project. */
  fingerprinter(on: On, projectId: number): Promise<(text: string) => string>;
}

/** The characters of the masked configurations that are kept, and for each what it takes besides. */
const KEPT_MAX_SIZE = 8 * 1024 * 1024;
const OWN_SIZE = 200;
const EMPTY = '{}';
const FINGERPRINTS = 'fingerprints';
const KEY_BYTES = 32;

/** A masked configuration, with everything that it depends on. */
interface Kept extends Pick<ConfigRecord, 'plugin' | 'pluginVersion'> {
  /** Of the ciphertext. No transaction that is rolled back and no failover makes it stand for another text. */
  readonly identity: string;
  readonly formerPlugins: number;
  readonly text: string;
}

export function newConfigurations(dependencies: {
  readonly masterKeys: SecretsKeys;
  readonly primary: Pick<Primary, 'connectionEpoch'>;
}): Configurations {
  const dataKeys = newDataKeys(dependencies);
  const names = newSecretNames(dependencies);
  const kept = new LRUCache<number, Kept>({
    maxSize: KEPT_MAX_SIZE,
    sizeCalculation: ({ text }) => text.length + OWN_SIZE,
  });

  const keptText = (stored: StoredRecord): string | undefined => {
    // Noting each use would cost every read. So a text that is read often is dropped in its turn, too, and decrypted again.
    const known = kept.peek(stored.id);
    const isCurrent =
      known !== undefined &&
      stored.config?.startsWith(known.identity) === true &&
      known.plugin === stored.plugin &&
      known.pluginVersion === stored.pluginVersion &&
      known.formerPlugins === stored.formerPlugins.length;
    return isCurrent ? known.text : undefined;
  };
  const keep = (record: StoredRecord, config: Ciphertext, text: string): void => {
    const { id, plugin, pluginVersion, formerPlugins } = record;
    const identity = identityOf(config);
    kept.set(id, { identity, plugin, pluginVersion, formerPlugins: formerPlugins.length, text });
  };
  const prepare = async (on: On, owners: readonly Owner[]): Promise<Shown> => {
    const keyOf = await dataKeys.load(on, new Set(owners.map(({ projectId }) => projectId)));
    const namesOf = await names.load(on, owners);
    // The one way from a ciphertext to what is shown.
    const show = <T>(owner: Owner, column: Place['column'], ciphertext: Ciphertext, mask: Mask<T>): T =>
      mask(decryptText(keyOf(owner.projectId), placeOf(owner, column), ciphertext), namesOf(owner));
    return {
      revision: (owner, config) => show(owner, 'revision.config', config, maskConfiguration),
      present: (owner, config) =>
        config === null ? EMPTY : show(owner, 'config_record.config', config, maskConfiguration),
      changes: (owner, { changes, configChanges }) =>
        configChanges === null
          ? (changes as readonly FieldChange[])
          : show(owner, 'activity.config_changes', configChanges, (text, secret) =>
              maskChanges(withValues(changes, text), secret),
            ),
    };
  };

  return {
    shown: prepare,

    async show(on, stored) {
      const texts = stored.map((record) => (record.config === null ? EMPTY : keptText(record)));
      const missing = stored.filter((_, i) => texts[i] === undefined);
      const shown = missing.length === 0 ? null : await prepare(on, missing);
      return stored.map((record, i) => {
        const text = texts[i] ?? shown?.present(record, record.config) ?? EMPTY;
        if (texts[i] === undefined && record.config !== null) keep(record, record.config, text);
        return { ...record, config: text };
      });
    },

    secretNames: names.load,

    async decryptValues(on, projectId) {
      const key = (await dataKeys.load(on, [projectId]))(projectId);
      return (stored) =>
        stored.config === null
          ? EMPTY
          : decryptText(key, placeOf(stored, 'config_record.config'), stored.config);
    },

    async decryptWork(on, record, work) {
      const key = (await dataKeys.load(on, [record.projectId]))(record.projectId);
      return JSON.parse(decryptText(key, placeOf(record, 'job.work'), work)) as JobWork;
    },

    defaults: newDefaults(dataKeys, dependencies),

    async encrypter(on, projectIds) {
      const keyOf = await dataKeys.load(on, projectIds);
      return (place, plain) => encryptText(keyOf(place.projectId), place, plain);
    },

    async fingerprinter(on, projectId) {
      const { key } = (await dataKeys.load(on, [projectId]))(projectId);
      const derived = Buffer.from(hkdfSync('sha256', key, '', FINGERPRINTS, KEY_BYTES));
      return (text) => createHmac('sha256', derived).update(text).digest('base64url');
    },
  };
}

type Mask<T> = (text: string, secretNames: SecretNames) => T;

export function placeOf({ projectId, id }: Pick<Owner, 'id' | 'projectId'>, column: Place['column']): Place {
  return { projectId, column, row: id };
}

/** Whether an entry tells the values of this change apart, encrypted. */
export function isConfigChange({ field }: Pick<FieldChange, 'field'>): boolean {
  return field.startsWith(CONFIG_FIELD);
}

/** Puts the values of changes of the configuration back to their fields. */
function withValues(changes: StoredChanges['changes'], text: string): readonly FieldChange[] {
  const values = (JSON.parse(text) as readonly (readonly [Json, Json])[]).values();
  return changes.map((change) => {
    if (!isConfigChange(change)) return change as FieldChange;
    const [before = null, after = null] = values.next().value ?? [];
    return { field: change.field, before, after };
  });
}
