import {
  filteredPluginId,
  pluginsWithin,
  SLUG_PREFIX,
  type KeyGrant,
  type PluginRef,
  type PluginStore,
} from '@plugin-config/domain';

/** Returns the plugins whose records a runtime gets: those of the query that its key can access. An unknown one has no records. */
export async function queriedPlugins(
  dependencies: { readonly plugins: Pick<PluginStore, 'idsOf'> },
  key: Pick<KeyGrant, 'pluginIds'>,
  refs: readonly string[],
): Promise<readonly number[]> {
  const ids = refs.map((ref) =>
    filteredPluginId(dependencies, ref.startsWith(SLUG_PREFIX) ? (ref as PluginRef) : Number(ref)),
  );
  return pluginsWithin(key, [...new Set((await Promise.all(ids)).flatMap((id) => id ?? []))]);
}
