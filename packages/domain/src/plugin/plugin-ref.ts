import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { SLUG, SLUG_EXPECTED, SLUG_PREFIX, type PluginRef } from '../vocabulary/vocabulary.ts';
import { NO_PLUGIN } from './plugin.ts';
import type { PluginStore } from './plugin-store.ts';

export interface SlugDependencies {
  readonly plugins: Pick<PluginStore, 'idsOf'>;
}

const WHOLE_SLUG = new RegExp(`^${SLUG}$`);

/** @throws DomainError `invalid_input`, attr `slug` */
export function slugOf(text: string): string {
  if (WHOLE_SLUG.test(text)) return text;
  throw invalidInput('slug', SLUG_EXPECTED);
}

export function slugIn(ref: Exclude<PluginRef, number>): string {
  return ref.slice(SLUG_PREFIX.length);
}

/** Returns the id of a plugin. @throws DomainError `does_not_exist` if no plugin has the slug */
export async function pluginIdOf(dependencies: SlugDependencies, ref: PluginRef): Promise<number> {
  return (await lookUpPlugins(dependencies, [ref]))(ref, 'plugin');
}

/** Returns the id by which a list is filtered; null for no filter. An unknown slug has no records, like an unknown id. */
export async function filteredPluginId(
  { plugins }: SlugDependencies,
  ref: PluginRef | null,
): Promise<number | null> {
  if (typeof ref !== 'string') return ref;
  const slug = slugIn(ref);
  return (await plugins.idsOf([slug])).get(slug) ?? NO_PLUGIN;
}

/** Returns the ids of plugins, in their order. @throws DomainError `does_not_exist` if no plugin has a slug */
export async function pluginIdsOf(
  dependencies: SlugDependencies,
  refs: readonly PluginRef[],
  attr: string,
): Promise<readonly number[]> {
  const idOf = await lookUpPlugins(dependencies, refs);
  return refs.map((ref) => idOf(ref, attr));
}

/** Returns fields with the id of their plugin. @throws DomainError `does_not_exist` if no plugin has the slug */
export async function withPluginId<Fields extends { readonly plugin?: PluginRef | undefined }>(
  dependencies: SlugDependencies,
  fields: Fields,
): Promise<Omit<Fields, 'plugin'> & { readonly plugin: number | undefined }> {
  const { plugin } = fields;
  return { ...fields, plugin: plugin && (await pluginIdOf(dependencies, plugin)) };
}

/** Looks up slugs. Keeps no results, since a slug can move to another plugin. */
export async function lookUpPlugins(
  { plugins }: SlugDependencies,
  refs: readonly PluginRef[],
): Promise<(ref: PluginRef, attr: string) => number> {
  const slugs = new Set(refs.flatMap((ref) => (typeof ref === 'number' ? [] : slugIn(ref))));
  const ids = slugs.size === 0 ? new Map<string, number>() : await plugins.idsOf([...slugs]);
  return (ref, attr) => {
    if (typeof ref === 'number') return ref;
    const slug = slugIn(ref);
    const id = ids.get(slug);
    if (id === undefined)
      throw new DomainError('does_not_exist', `No plugin has the slug ${slug}.`, { attr });
    return id;
  };
}
