import * as z from 'zod';

interface FamilyWords {
  readonly tag: string;
  readonly description: string;
  /** The word for one record, in the names of operations. */
  readonly one: string;
  /** The word for several records, in the names of operations. */
  readonly many: string;
}

/** The families by their names in paths, with the words for them in the OpenAPI document. */
export const WIRE_FAMILIES = {
  plugin_configs: {
    tag: 'Plugin configs',
    description: 'Records that attach plugins to a project, and their logs.',
    one: 'plugin_config',
    many: 'plugin_configs',
  },
  pipeline_transformation_configs: {
    tag: 'Pipeline transformation configs',
    description: 'Records that attach plugins that transform events in the pipeline.',
    one: 'pipeline_transformation_config',
    many: 'pipeline_transformation_configs',
  },
} as const satisfies Readonly<Record<string, FamilyWords>>;

export type WireFamily = keyof typeof WIRE_FAMILIES;

export const familyName = z
  .enum(Object.keys(WIRE_FAMILIES) as WireFamily[])
  .meta({ description: 'The family of the record.' });
