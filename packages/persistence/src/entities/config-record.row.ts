import { defineEntity, p } from '@mikro-orm/core';
import {
  ACTIVITIES,
  RECORD_TEXTS_MAX,
  type Activity,
  type Family,
  type FieldChange,
  type Subject,
} from '@plugin-config/domain';
import { authorColumns } from './author-columns.ts';
import { listed } from './families-in-sql.ts';

export const ConfigRecordRow = defineEntity({
  name: 'ConfigRecordRow',
  tableName: 'config_record',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    projectId: p.bigint('number'),
    family: p.text().$type<Family>(),
    plugin: p.integer(),
    /** The plugins that the record was attached to before. */
    formerPlugins: p.array<number>().columnType('integer[]').defaultRaw(`'{}'`),
    /** The schema version that the configuration follows. */
    schemaVersion: p.integer().default(1),
    /** The version of the plugin that the record keeps; null if it follows the current one. */
    pinnedVersion: p.text().strictNullable(),
    enabled: p.boolean(),
    order: p.integer().fieldName('position'),
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    /** Encrypted; null for an empty configuration. */
    config: p.blob().strictNullable(),
    /** Whether the record is enabled and the schema of its plugin rejects its configuration. */
    invalid: p.boolean().default(false),
    error: p.text().strictNullable(),
    deliveryRate: p.text().strictNullable(),
    deleted: p.boolean(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    version: p.bigint('number'),
    configVersion: p.bigint('number').defaultRaw('1'),
    familyVersion: p.bigint('number').defaultRaw('1'),
    /** The number of the current revision. */
    revision: p.bigint('number').defaultRaw('1'),
    /** The author of the current revision; null if it is older than this column. */
    revisionAt: p.datetime(3).strictNullable(),
    revisionKeyId: p.bigint('number').strictNullable(),
    revisionLabel: p.text().strictNullable(),
    revisionSubject: p.json<Subject>().columnType('json').strictNullable(),
    revisionRequestId: p.text().strictNullable(),
  },
  indexes: [
    { name: 'config_record_place_index', properties: ['projectId', 'family', 'deleted', 'order', 'id'] },
    { name: 'config_record_plugin_index', properties: ['plugin', 'projectId', 'family', 'id'] },
    {
      name: 'config_record_invalid_index',
      properties: ['plugin', 'projectId', 'family', 'id'],
      where: 'invalid',
    },
    {
      name: 'config_record_error_index',
      properties: ['plugin', 'id'],
      where: 'error is not null and not deleted',
    },
    { name: 'config_record_former_index', properties: ['formerPlugins'], where: `former_plugins <> '{}'` },
  ],
  checks: [
    { name: 'config_record_plugin_check', expression: 'plugin >= 1' },
    { name: 'config_record_position_check', expression: 'position >= 0' },
    { name: 'config_record_name_check', expression: `char_length(name) <= ${RECORD_TEXTS_MAX.name}` },
    {
      name: 'config_record_description_check',
      expression: `char_length(description) <= ${RECORD_TEXTS_MAX.description}`,
    },
    { name: 'config_record_delivery_rate_check', expression: `delivery_rate ~ '^(0\\.[0-9]{4}|1\\.0000)$'` },
    { name: 'config_record_deleted_check', expression: 'not (deleted and enabled)' },
    { name: 'config_record_invalid_check', expression: 'enabled or not invalid' },
    { name: 'config_record_schema_version_check', expression: 'schema_version >= 1' },
    { name: 'config_record_version_check', expression: 'version >= 1' },
  ],
});

export const ActivityRow = defineEntity({
  name: 'ActivityRow',
  tableName: 'activity',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** No foreign key: checking it would take a tenth of each write, and entries are only added for locked records. */
    recordId: p.bigint('number'),
    activity: p.text().$type<Activity>(),
    createdAt: p.datetime(3),
    ...authorColumns(),
    /** The apply that made the change; null for other changes. */
    applyId: p.uuid().strictNullable(),
    /** Changes to the configuration have no values here. */
    changes: p.json<readonly (FieldChange | Pick<FieldChange, 'field'>)[]>().columnType('json'),
    /** The encrypted values before and after each change to the configuration, in order; null if there are none. */
    configChanges: p.blob().strictNullable(),
    changesBytes: p
      .integer()
      .generated('(octet_length(changes::text) + coalesce(octet_length(config_changes), 0)) stored'),
    more: p.integer().default(0),
  },
  indexes: [
    {
      name: 'activity_record_index',
      properties: ['recordId', 'id'],
      /** The filters of a family's history, which reads thousands of entries of many records. */
      include: ['createdAt', 'activity', 'actorKeyId'],
    },
  ],
  checks: [
    { name: 'activity_activity_check', expression: `activity in (${listed(ACTIVITIES)})` },
    { name: 'activity_changes_check', expression: `json_typeof(changes) = 'array'` },
    { name: 'activity_more_check', expression: 'more >= 0' },
  ],
});

/** An earlier revision of a record. The current revision is the record itself. */
export const RevisionRow = defineEntity({
  name: 'RevisionRow',
  tableName: 'config_revision',
  primaryKeys: ['recordId', 'number'],
  properties: {
    /** No foreign key, for the same reasons as in the history of the record. */
    recordId: p.bigint('number').primary().autoincrement(false),
    number: p.bigint('number').primary(),
    createdAt: p.datetime(3),
    ...authorColumns(),
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    schemaVersion: p.integer().default(1),
    pinnedVersion: p.text().strictNullable(),
    /** The masked configuration, encrypted; null if the next revision has the same. */
    config: p.blob().strictNullable(),
  },
});

/** A record that a manager owns, live or deleted. */
export const ManagedRecordRow = defineEntity({
  name: 'ManagedRecordRow',
  tableName: 'managed_record',
  properties: {
    recordId: p
      .oneToOne(ConfigRecordRow)
      .mapToPk()
      .primary()
      .joinColumn('record_id')
      .foreignKeyName('managed_record_record_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    projectId: p.bigint('number'),
    family: p.text().$type<Family>(),
    manager: p.text(),
    key: p.text(),
    preventDestroy: p.boolean(),
    /** The version of the record and the last entry of its history when it was last applied or adopted. */
    appliedVersion: p.bigint('number'),
    appliedEntry: p.bigint('number'),
  },
  uniques: [{ name: 'managed_record_key_key', properties: ['projectId', 'family', 'manager', 'key'] }],
});
