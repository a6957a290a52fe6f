import {
  pluginInfo,
  utf8Length,
  registeredAgain,
  secretFields,
  type Conceal,
  type Plugin,
  type PluginStore,
  type SealedPortion,
} from '@plugin-config/domain';
import { audit } from './memory-audit-log.ts';
import { concealPast } from './conceal-past.ts';
import { raiseRevision, raiseRevisions } from './family-changes.ts';
import { pageOf } from './page-of.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState, StoredRecord } from './memory-state.ts';

/** Small enough that tests with few records see several portions. */
const PORTION = 2;

export function memoryPluginStore(db: MemoryDatabase): PluginStore {
  return {
    find: async (id) => db.state.plugins.get(id)?.plugin ?? null,

    page: async (page) =>
      pageOf(
        [...db.state.plugins.values()].map(({ plugin }) => plugin).toSorted((a, b) => a.id - b.id),
        page,
        (plugin) => utf8Length(pluginInfo(plugin)),
      ),

    register: (plugin, seed, author) =>
      db.change((state) => {
        const before = state.plugins.get(plugin.id);
        const revision = countRegistration(state, plugin.id);
        const sealedUpTo = before && isSame(before.plugin, plugin) ? before.sealedUpTo : 0;
        if (before !== undefined && sealedUpTo === 0) concealUnsealed(state, before.plugin);
        state.plugins.set(plugin.id, { plugin, seed, revision, sealedUpTo });
        raiseRevisions(
          state,
          attaching(state, plugin.id).map(({ record }) => record),
        );
        audit(state, author, 'plugin_registered', { type: 'plugin', id: plugin.id, name: plugin.name });
        return unsealed(state, plugin.id).length;
      }),

    unsealed: async (ids) =>
      new Map(ids.map((id) => [id, unsealed(db.state, id).length] as const).filter(([, count]) => count > 0)),

    unfinished: async () =>
      [...db.state.plugins]
        .filter(([, { sealedUpTo }]) => sealedUpTo !== null)
        .map(([id]) => id)
        .toSorted((a, b) => a - b),

    sealNext: (plugin, conceal) => db.change((state) => sealNextIn(state, plugin, conceal)),

    remove: (id, author) =>
      db.change((state) => {
        const registered = state.plugins.get(id);
        if (registered === undefined) return false;
        countRegistration(state, id);
        concealUnsealed(state, registered.plugin);
        state.plugins.delete(id);
        audit(state, author, 'plugin_removed', { type: 'plugin', id, name: registered.plugin.name });
        raiseRevisions(
          state,
          attaching(state, id).map(({ record }) => record),
        );
        return true;
      }),

    raiseLeft: async () => undefined,
  };
}

/** Returns the new number, which is the revision of the registration. */
function countRegistration({ pluginRevisions }: MemoryState, plugin: number): number {
  const revision = (pluginRevisions.get(plugin) ?? 0) + 1;
  pluginRevisions.set(plugin, revision);
  return revision;
}

function sealNextIn(state: MemoryState, plugin: Plugin, conceal: Conceal): SealedPortion | null {
  const registered = state.plugins.get(plugin.id);
  if (registered === undefined || !isSame(registered.plugin, plugin)) throw registeredAgain(plugin);
  const portion = unsealed(state, plugin.id)
    .toSorted((a, b) => a.record.id - b.record.id)
    .slice(0, PORTION);
  const last = portion.at(-1);
  if (last === undefined) {
    state.plugins.set(plugin.id, { ...registered, sealedUpTo: null });
    return null;
  }
  const sealed = portion.filter((stored) => seal(state, stored, conceal));
  for (const { record } of portion) concealPast(state, record.id, secretFields(plugin));
  for (const { record } of sealed) raiseRevision(state, record, [record.id]);
  state.plugins.set(plugin.id, { ...registered, sealedUpTo: last.record.id });
  return { records: portion.length, sealed: sealed.length };
}

/** Masks what a registration that ends has declared secret, where its sealing has not come to. */
function concealUnsealed(state: MemoryState, plugin: Plugin): void {
  for (const { record } of unsealed(state, plugin.id)) concealPast(state, record.id, secretFields(plugin));
}

function seal(state: MemoryState, stored: StoredRecord, conceal: Conceal): boolean {
  const { record, secrets } = stored;
  const before = { config: record.config, secrets };
  const concealed = conceal(before);
  if (concealed === before) return false;
  const configRevision = record.configRevision + 1;
  const after = { ...record, config: concealed.config, configRevision };
  state.records.set(record.id, { ...stored, record: after, secrets: concealed.secrets });
  return true;
}

function isSame(one: Plugin, other: Plugin): boolean {
  return pluginInfo(one) === pluginInfo(other);
}

function unsealed(state: MemoryState, plugin: number): readonly StoredRecord[] {
  const sealedUpTo = state.plugins.get(plugin)?.sealedUpTo ?? null;
  return sealedUpTo === null ? [] : attaching(state, plugin).filter(({ record }) => record.id > sealedUpTo);
}

function attaching({ records }: MemoryState, plugin: number): readonly StoredRecord[] {
  return [...records.values()].filter(({ record }) => record.plugin === plugin);
}
