/** The reasons why a message cannot be stored. A closed set, because metrics use it as a label. */
export const DEAD_REASONS = [
  'too_long',
  'not_json',
  'not_an_object',
  'unknown_kind',
  'invalid_plugin_config_id',
  'invalid_message',
  'invalid_id',
  'id_without_time',
  'invalid_timestamp',
  'too_far_ahead',
  'too_old',
  'invalid_source',
  'invalid_type',
  'invalid_instance_id',
  'invalid_team_id',
  'invalid_plugin_id',
  'invalid_totals',
  'invalid_error',
  'unknown_plugin_config',
  'wrong_project',
  'wrong_team_id',
  'wrong_plugin_id',
  'no_log',
  'unstorable',
] as const;

export type DeadReason = (typeof DEAD_REASONS)[number];
