import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ProjectRow } from './project.row.ts';
import { ApiKeyRow } from './api-key.row.ts';

/** A project that a key is bound to. A key without a project has access to all projects. */
export const ApiKeyProjectRow = defineEntity({
  name: 'ApiKeyProjectRow',
  tableName: 'api_key_project',
  primaryKeys: ['key', 'project'],
  properties: {
    key: p
      .manyToOne(ApiKeyRow)
      .primary()
      .foreignKeyName('api_key_project_key_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    project: p
      .manyToOne(ProjectRow)
      .primary()
      .foreignKeyName('api_key_project_project_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
  },
});

export type ApiKeyProjectRow = InferEntity<typeof ApiKeyProjectRow>;
