import { NEXT_REVISION } from './raise-family.ts';

/** The columns of a record that a creation and a change both set to given values. `RECORD` reads them. */
export const RECORD_VALUES = {
  plugin: 'integer',
  enabled: 'boolean',
  name: 'text',
  description: 'text',
  deleted: 'boolean',
} as const;

const NAMES = Object.keys(RECORD_VALUES);

/** The names of these columns. */
export const VALUE_NAMES = NAMES.join(', ');

/** The select list of these columns of a table. */
export function valuesOf(table: string): string {
  return NAMES.map((name) => `${table}.${name}`).join(', ');
}

/** The columns of a change. `config` and `secrets` are null if the change does not replace them. */
export const RECORD_CHANGE = {
  ...RECORD_VALUES,
  position: 'integer',
  config: 'text',
  secrets: 'text',
  updated_at: 'timestamptz',
} as const;

/** Applies a change `c` to a record `r`, as a part of `update config_record r set`. The row of the family is locked. */
export const SET_CHANGE = `
      ${NAMES.map((name) => `${name} = c.${name}`).join(', ')}, position = c.position,
      config = coalesce(c.config, r.config), secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, version = r.version + 1,
      config_revision = r.config_revision + (c.config is not null)::integer,
      family_revision = ${NEXT_REVISION}`;
