import type { PluginStore } from '@plugin-config/domain';
import { concealPast, raiseRevision } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { familyKey, type MemoryState, type StoredRecord } from './memory-state.ts';

export function memoryPluginStore(db: MemoryDatabase): PluginStore {
  return {
    find: async (id) => db.state.plugins.get(id)?.plugin ?? null,

    list: async () =>
      [...db.state.plugins.values()].map(({ plugin }) => plugin).toSorted((a, b) => a.id - b.id),

    register: (plugin, seed, conceal) =>
      db.change((state) => {
        const revision = (state.pluginRevisions.get(plugin.id) ?? 0) + 1;
        state.pluginRevisions.set(plugin.id, revision);
        state.plugins.set(plugin.id, { plugin, seed, revision });
        for (const { record, secrets } of attaching(state, plugin.id)) {
          const before = { config: record.config, secrets };
          const concealed = conceal(before);
          if (concealed === before) continue;
          const configRevision = record.configRevision + 1;
          state.records.set(record.id, {
            record: { ...record, config: concealed.config, configRevision },
            secrets: concealed.secrets,
          });
          concealPast(state, record.id, concealed.secrets);
        }
        raiseRevisions(state, plugin.id);
      }),

    remove: (id) =>
      db.change((state) => {
        const registered = state.plugins.delete(id);
        if (registered) raiseRevisions(state, id);
        return registered;
      }),
  };
}

function attaching({ records }: MemoryState, plugin: number): readonly StoredRecord[] {
  return [...records.values()].filter(({ record }) => record.plugin === plugin);
}

function raiseRevisions(state: MemoryState, plugin: number): void {
  const families = new Map(attaching(state, plugin).map(({ record }) => [familyKey(record), record]));
  for (const family of families.values()) raiseRevision(state, family);
}
