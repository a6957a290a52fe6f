import * as z from 'zod';
import { FAMILIES, type Family } from '@plugin-config/domain/vocabulary';

interface FamilyWords {
  readonly tag: string;
  readonly description: string;
  /** The word for one record, in the names of operations. */
  readonly one: string;
  /** The word for several records, in the names of operations. */
  readonly many: string;
}

/** The words for the families in the OpenAPI document. */
export const FAMILY_WORDS: Readonly<Record<Family, FamilyWords>> = {
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
};

export const familyName = z.enum(FAMILIES).meta({ description: 'The family of the record.' });
