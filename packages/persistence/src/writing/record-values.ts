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

/** The columns of a change. `config` and `secrets` are null if the change does not replace them. */
export const RECORD_CHANGE = {
  ...RECORD_VALUES,
  position: 'integer',
  config: 'text',
  secrets: 'text',
  updated_at: 'timestamptz',
} as const;

/** Assigns the columns of a change `c` to a record `r`. `write` adds the version and the revision. */
export const SET_CHANGE = `${VALUE_NAMES.map((name) => `${name} = c.${name}`).join(', ')}, position = c.position,
      config = coalesce(c.config, r.config), secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, config_revision = r.config_revision + (c.config is not null)::integer`;
