import { defineEntity, p } from '@mikro-orm/core';
import { EXTERNAL_ID, LABEL_MAX, type Family } from '@plugin-config/domain';
import { EVERY_FAMILY } from './families-in-sql.ts';

export const ProjectRow = defineEntity({
  name: 'ProjectRow',
  tableName: 'project',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    externalId: p.text().strictNullable().unique('project_external_id_key'),
    name: p.text(),
    createdAt: p.datetime(3),
    /** Null if the limit in the settings applies. */
    logEntriesPerDay: p.bigint('number').strictNullable(),
    logBytesPerDay: p.bigint('number').strictNullable(),
  },
  checks: [
    { name: 'project_id_check', expression: 'id >= 1' },
    { name: 'project_external_id_check', expression: `external_id ~ '^${EXTERNAL_ID}$'` },
    {
      name: 'project_name_check',
      expression: `char_length(name) >= 1 and char_length(name) <= ${LABEL_MAX}`,
    },
  ],
});

/** The data key that encrypts the configurations of a project. They are lost without it. */
export const ProjectKeyRow = defineEntity({
  name: 'ProjectKeyRow',
  tableName: 'project_key',
  properties: {
    /** Identifies the data key in each ciphertext. */
    id: p.integer().primary().generated('by default as identity'),
    /** No foreign key: 0 is the service's own key, for data without a project. */
    projectId: p.bigint('number').unique('project_key_project_id_key'),
    /** The data key, encrypted with the master key. */
    wrapped: p.blob(),
    masterKeyId: p.text(),
  },
});

export const ConfigFamilyRow = defineEntity({
  name: 'ConfigFamilyRow',
  tableName: 'config_family',
  primaryKeys: ['projectId', 'family'],
  properties: {
    projectId: p
      .manyToOne(ProjectRow)
      .mapToPk()
      .primary()
      .joinColumn('project_id')
      .foreignKeyName('config_family_project_id_fkey'),
    family: p.text().$type<Family>().primary(),
    familyVersion: p.bigint('number').defaultRaw('1'),
    listVersion: p.bigint('number').defaultRaw('1'),
    orderVersion: p.bigint('number').defaultRaw('1'),
    /** Counts the increments of the list version by write-backs alone, which leave plans current. */
    writeBacks: p.bigint('number').defaultRaw('0'),
    /** The transaction of the last change of the list version, by which the feed of all projects finds changes. */
    changedXid: p.bigint('number').defaultRaw('((pg_current_xact_id())::text)::bigint'),
  },
  // Summarises pages, so that updates stay HOT (ADR 28).
  indexes: [
    {
      name: 'config_family_changed_index',
      expression:
        'create index "config_family_changed_index" on "config_family" using brin ("changed_xid") with (pages_per_range = 1, autosummarize = on)',
    },
  ],
  checks: [
    { name: 'config_family_family_check', expression: `family in (${EVERY_FAMILY})` },
    {
      name: 'config_family_list_version_check',
      expression: 'list_version >= 1 and list_version <= family_version',
    },
    {
      name: 'config_family_order_version_check',
      expression: 'order_version >= 1 and order_version <= family_version',
    },
    {
      name: 'config_family_write_backs_check',
      expression: 'write_backs >= 0 and write_backs < list_version',
    },
  ],
});
