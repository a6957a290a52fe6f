/** Why a message cannot be stored, for its sender. A closed set, because the reason is a metrics label. */
const DETAILS = {
  too_long: 'The message is longer than 1 MiB, or has too many values.',
  not_json: 'The message is not JSON.',
  not_an_object: 'The message is not a JSON object.',
  unknown_kind: '`kind` must be "delivery", "error" or absent.',
  invalid_plugin_config_id: '`plugin_config_id` must be the id of a plugin config.',
  invalid_message: '`message` must be a string.',
  invalid_id: '`id` must be a UUID.',
  id_without_time: 'An `id` that is not a version 7 UUID needs a `timestamp`.',
  invalid_timestamp: '`timestamp` must be an ISO 8601 date-time with an offset.',
  too_far_ahead: '`timestamp` is more than a day ahead.',
  too_old: '`timestamp` is older than the retention.',
  invalid_source:
    '`source` must have up to 32 capital letters, digits and underscores, and begin with a letter.',
  invalid_type: '`type` must have up to 32 letters, digits and underscores, and begin with a letter.',
  invalid_instance_id: '`instance_id` must be a UUID.',
  invalid_team_id: '`team_id` must be the id of a project.',
  invalid_plugin_id: '`plugin_id` must be the id of a plugin.',
  invalid_totals: '`successes`, `successes_on_retry` and `failures` must be integers from 0 to 2147483647.',
  invalid_failed:
    '`failed` must be a list of up to 100 objects with a `ref` and a `reason`, each a text of 1 to 200 bytes.',
  invalid_error: '`error` must be a string or null.',
  unknown_plugin_config: 'There is no record with this `plugin_config_id` that the sender may write to.',
  wrong_team_id: 'The record belongs to another project than `team_id`.',
  wrong_plugin_id: 'The record has another plugin than `plugin_id`.',
  no_log: 'The family of this record has no log.',
  over_quota: "The entry exceeds the project's daily log quota.",
  unstorable: 'The database cannot store the message.',
} as const;

export type DeadReason = keyof typeof DETAILS;

export const DEAD_REASONS = Object.keys(DETAILS) as readonly DeadReason[];

export function deadDetail(reason: DeadReason): string {
  return DETAILS[reason];
}
