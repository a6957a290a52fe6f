/** The columns of a record that a creation and a change both set to given values. `RECORD` reads them. */
export const RECORD_VALUES = {
  plugin: 'integer',
  enabled: 'boolean',
  name: 'text',
  description: 'text',
  deleted: 'boolean',
} as const;

/** The names of these columns. */
const VALUE_NAMES = Object.keys(RECORD_VALUES);

/**
 * The columns of a change. `former_plugins` and `config` are null if the change does not replace them. `ends_edition` tells whether
 * it ends the present edition, and `ended_config` has the configuration of that one if the change replaces it.
 */
export const RECORD_CHANGE = {
  ...RECORD_VALUES,
  position: 'integer',
  former_plugins: 'integer[]',
  config: 'bytea',
  at: 'timestamptz',
  ends_edition: 'boolean',
  ended_config: 'bytea',
  actor_key_id: 'bigint',
  actor_label: 'text',
  request_id: 'text',
} as const;

/** Assigns the columns of a change `c` to a record `r`. `write` adds the version and the revision. */
export const SET_CHANGE = `${VALUE_NAMES.map((name) => `${name} = c.${name}`).join(', ')}, position = c.position,
      former_plugins = coalesce(c.former_plugins, r.former_plugins), config = coalesce(c.config, r.config),
      updated_at = c.at, config_revision = r.config_revision + (c.config is not null)::integer,
      edition = r.edition + (c.ends_edition is true)::integer,
      edition_at = case when c.ends_edition then c.at else r.edition_at end,
      edition_key_id = case when c.ends_edition then c.actor_key_id else r.edition_key_id end,
      edition_label = case when c.ends_edition then c.actor_label else r.edition_label end,
      edition_request_id = case when c.ends_edition then c.request_id else r.edition_request_id end`;
