/** The families by their names in paths. */
export type Family = 'plugin_configs' | 'pipeline_transformation_configs';
