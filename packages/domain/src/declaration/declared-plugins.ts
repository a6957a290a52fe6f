import { lookUpPlugins, type SlugDependencies } from '../plugin/plugin-ref.ts';
import { perFamily } from '../project/family.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import { declaredFamilies, pathOf, type Declaration } from './declaration.ts';

/** Returns a declaration with the ids of its plugins. @throws DomainError `does_not_exist` if no plugin has a slug */
export async function withPluginIds(
  dependencies: SlugDependencies,
  declaration: Declaration<PluginRef>,
): Promise<Declaration> {
  const { manager } = declaration;
  const records = declaredFamilies(declaration).flatMap((declared) => declared.records);
  const idOf = await lookUpPlugins(
    dependencies,
    records.map(({ plugin }) => plugin),
  );
  return {
    manager,
    ...perFamily((family) =>
      declaration[family]?.map((record, index) => ({
        ...record,
        plugin: idOf(record.plugin, `${pathOf(family, index)}.plugin`),
      })),
    ),
  };
}
