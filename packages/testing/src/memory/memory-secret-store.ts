import { keyIdOf, type KeySet, type SealedSecrets, type SecretStore } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState, Registration, StoredRecord } from './memory-state.ts';

/** Small enough that tests with few records see several portions. */
const PORTION = 2;

export function memorySecretStore(db: MemoryDatabase): SecretStore {
  return {
    keySets: async () => {
      const { records, plugins } = db.state;
      const sealed = [...records.values(), ...[...plugins.values()].map(({ seed }) => seed)];
      const sets = new Set(sealed.map(({ secrets }) => keysOf(secrets)));
      return [...sets].filter((keys) => keys !== '').map((keys) => keys.split(','));
    },

    count: async (keys) => ({
      records: recordsWith(db.state, keys).length,
      plugins: pluginsWith(db.state, keys).length,
    }),

    resealNext: (keys, after, reseal) =>
      db.change((state) => {
        const portion = recordsWith(state, keys)
          .filter(({ record }) => record.id > after)
          .toSorted((a, b) => a.record.id - b.record.id)
          .slice(0, PORTION);
        for (const stored of portion) {
          const { record, secrets } = stored;
          const changed = { ...record, configRevision: record.configRevision + 1 };
          state.records.set(record.id, { ...stored, record: changed, secrets: reseal(secrets) });
        }
        const last = portion.at(-1)?.record.id;
        return last === undefined ? null : { last, resealed: portion.length };
      }),

    resealSeeds: (keys, reseal) =>
      db.change((state) => {
        const due = pluginsWith(state, keys);
        for (const registration of due) {
          const { plugin, seed } = registration;
          const secrets = reseal(seed.secrets);
          state.plugins.set(plugin.id, { ...registration, seed: { ...seed, secrets } });
        }
        return due.length;
      }),

    untilWritesEnd: async () => undefined,
  };
}

function recordsWith({ records }: MemoryState, keys: KeySet): readonly StoredRecord[] {
  return [...records.values()].filter(({ secrets }) => keysOf(secrets) === keys.join(','));
}

function pluginsWith({ plugins }: MemoryState, keys: KeySet): readonly Registration[] {
  return [...plugins.values()].filter(({ seed }) => keysOf(seed.secrets) === keys.join(','));
}

function keysOf(secrets: SealedSecrets): string {
  return [...new Set([...secrets.values()].map(keyIdOf))].toSorted().join(',');
}
