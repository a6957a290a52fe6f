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
    familyVersion: p.bigint('number').defaultRaw('1'),
    listVersion: p.bigint('number').defaultRaw('1'),
    orderVersion: p.bigint('number').defaultRaw('1'),
  },
  checks: [
    {
      name: 'config_family_family_check',
      expression: `family in (${EVERY_FAMILY})`,
    },
    {
      name: 'config_family_list_version_check',
      expression: 'list_version >= 1 and list_version <= family_version',
    },
    {
      name: 'config_family_order_version_check',
      expression: 'order_version >= 1 and order_version <= family_version',
    },
  ],
});

export type ConfigFamilyRow = InferEntity<typeof ConfigFamilyRow>;
