/** The columns of a record that callers set when they create or change it. `RECORD` reads them. */
export const RECORD_VALUES = {
  plugin: 'integer',
  enabled: 'boolean',
  name: 'text',
  description: 'text',
  deleted: 'boolean',
} as const;

const VALUE_NAMES = Object.keys(RECORD_VALUES);

/**
 * The columns of a change. `former_plugins` and `config` are null if the change does not replace them. `ends_revision` is true if
 * the change ends the current revision. `ended_config` is the old configuration, if the change replaces it.
 */
export const RECORD_CHANGE = {
  ...RECORD_VALUES,
  position: 'integer',
  former_plugins: 'integer[]',
  config: 'bytea',
  at: 'timestamptz',
  ends_revision: 'boolean',
  ended_config: 'bytea',
  actor_key_id: 'bigint',
  actor_label: 'text',
  request_id: 'text',
} as const;

/** Assigns the columns of a change `c` to a record `r`. `write` adds the version and the family version. */
export const SET_CHANGE = `${VALUE_NAMES.map((name) => `${name} = c.${name}`).join(', ')}, position = c.position,
      former_plugins = coalesce(c.former_plugins, r.former_plugins), config = coalesce(c.config, r.config),
      updated_at = c.at, config_version = r.config_version + (c.config is not null)::integer,
      revision = r.revision + (c.ends_revision is true)::integer,
      revision_at = case when c.ends_revision then c.at else r.revision_at end,
      revision_key_id = case when c.ends_revision then c.actor_key_id else r.revision_key_id end,
      revision_label = case when c.ends_revision then c.actor_label else r.revision_label end,
      revision_request_id = case when c.ends_revision then c.request_id else r.revision_request_id end`;
