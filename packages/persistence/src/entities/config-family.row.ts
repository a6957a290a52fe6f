import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Family } from '@plugin-config/domain';
import { EVERY_FAMILY } from './families-in-sql.ts';
import { ProjectRow } from './project.row.ts';

export const ConfigFamilyRow = defineEntity({
  name: 'ConfigFamilyRow',
  tableName: 'config_family',
  primaryKeys: ['project', 'family'],
  properties: {
    project: p
      .manyToOne(ProjectRow)
      .primary()
      .foreignKeyName('config_family_project_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    family: p.text().$type<Family>().primary(),
    revision: p.bigint('number').defaultRaw('1'),
    listVersion: p.bigint('number').defaultRaw('1'),
    orderRevision: p.bigint('number').defaultRaw('1'),
  },
  checks: [
    {
      name: 'config_family_family_check',
      expression: `family in (${EVERY_FAMILY})`,
    },
    {
      name: 'config_family_list_version_check',
      expression: 'list_version >= 1 and list_version <= revision',
    },
    {
      name: 'config_family_order_revision_check',
      expression: 'order_revision >= 1 and order_revision <= revision',
    },
  ],
});

export type ConfigFamilyRow = InferEntity<typeof ConfigFamilyRow>;
