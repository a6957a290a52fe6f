import { RECORD_TEXTS } from '@plugin-config/domain';
import { OVERHEAD_BYTES } from '../configuration/ciphertext.ts';
import type { Owner, StoredRecord } from '../configuration/configurations.ts';
import { versionHolding } from '../configuration/plugin-columns.ts';
import { ConfigRecordRow } from '../entities/config-record.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';

/** The former plugins of a record `r`. Null if there are none, which is cheaper to write and read than an empty array. */
const FORMER_PLUGINS = 'case when cardinality(r.former_plugins) > 0 then r.former_plugins end';

/** The registry version at the last registration or removal of the plugin `i` or a former plugin of a record `r`. */
export const REGISTRY_VERSION_OF_RECORD = `case when cardinality(r.former_plugins) = 0 then i.registry_version else (
    select max(p.registry_version) from plugin p where p.id = any (r.former_plugins || r.plugin)
  ) end`;

/** The columns of the table that are not fields of a record. */
const HIDDEN = [
  'invalid',
  'familyVersion',
  'revision',
  'revisionAt',
  'revisionKeyId',
  'revisionLabel',
  'revisionSubject',
  'revisionRequestId',
] as const;

const ROW = rowOf(ConfigRecordRow, 'r', [...HIDDEN, 'formerPlugins']);

/** The columns of a record `r` and its plugin `i`. */
export const RECORD = columns((row): StoredRecord => ({
  ...row.all(ROW),
  formerPlugins: row.numbers(FORMER_PLUGINS),
  registryVersion: row.numberOrNull(REGISTRY_VERSION_OF_RECORD),
  pluginInfo: row.textOrNull('i.info'),
}));

/** The columns of a record that no caller sets by its value. */
const DERIVED = [
  ...HIDDEN,
  'id',
  'projectId',
  'family',
  'formerPlugins',
  'schemaVersion',
  'pinnedVersion',
  'order',
  'config',
  'error',
  'deliveryRate',
  'createdAt',
  'updatedAt',
  'version',
  'configVersion',
] as const;

/** The columns of a record that callers set when they create or change it. */
export const RECORD_VALUES = writtenOf(ConfigRecordRow, DERIVED);

/** The same columns of a record `r`. */
export const SET_BY_CALLERS = rowOf(ConfigRecordRow, 'r', DERIVED);

/** The columns of a record `r` and its plugin `i` that decryption and masking need. */
export const OWNER = columns((row): Owner => ({
  id: row.number('r.id'),
  projectId: row.number('r.project_id'),
  plugin: row.number('r.plugin'),
  formerPlugins: row.numbers(FORMER_PLUGINS),
  registryVersion: row.numberOrNull(REGISTRY_VERSION_OF_RECORD),
  schemaVersion: row.number('r.schema_version'),
  pinnedVersion: row.textOrNull('r.pinned_version'),
}));

/**
 * SQL for a lateral join of the record with this id. Compare project and family in the join condition, so the record is looked
 * up by id even in the plan for a small table.
 */
export function recordOfId(id: string): string {
  return `lateral (select * from config_record r where r.id = ${id} limit 1) r`;
}

const VERSION_OF_RECORD = versionHolding({
  plugin: 'i.id',
  current: 'i.schema_version',
  schemaVersion: 'r.schema_version',
  pinnedVersion: 'r.pinned_version',
});

/** SQL for a lateral join of the plugin of a record, which may be removed, as the version of the record says. */
export const INFO_OF_RECORD = `lateral (
    select coalesce(v.info, i.info) as info, i.registry_version, coalesce(v.defaults_bytes, i.defaults_bytes) as defaults_bytes
    from plugin i left join ${VERSION_OF_RECORD} on true where i.id = r.plugin limit 1
  ) i`;

interface Records {
  /** A table or a subselect `r`. */
  readonly records: string;
  readonly order: string;
  readonly maxBytes?: string;
}

/** SQL for the first records that fit, with their plugins. Join it with `INFO_THAT_FITS`. */
export function recordsThatFit({ records, ...rest }: Records): string {
  const from = `(select * from ${records} left join ${INFO_OF_RECORD} on true)`;
  return rowsThatFit({ from, bytes: BYTES_OF_RECORD, ...rest });
}

/** The plugin of a record from `recordsThatFit`. */
export const INFO_THAT_FITS = 'lateral (select r.info, r.registry_version) i';

const BYTES_OF_RECORD = ['error', 'info', ...RECORD_TEXTS]
  .map((text) => `coalesce(octet_length(p.${text}), 0)`)
  .concat(
    `coalesce(octet_length(p.config) - ${OVERHEAD_BYTES}, octet_length('{}'))`,
    'coalesce(p.defaults_bytes, 0)',
  )
  .join(' + ');
