import type { Family } from '@plugin-config/domain';

interface FamilyNames {
  readonly tag: string;
  readonly description: string;
  /** As operations are called. */
  readonly one: string;
  readonly many: string;
}

export const FAMILY_NAMES: Readonly<Record<Family, FamilyNames>> = {
  plugin_configs: {
    tag: 'Plugin configs',
    description: 'The records that attach plugins to a project, and their logs.',
    one: 'plugin_config',
    many: 'plugin_configs',
  },
  pipeline_transformation_configs: {
    tag: 'Pipeline transformation configs',
    description: 'The same records, for what transforms events on their way.',
    one: 'pipeline_transformation_config',
    many: 'pipeline_transformation_configs',
  },
};
