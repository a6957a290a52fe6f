import { defineEntity, p } from '@mikro-orm/core';
import { KEY_PLUGINS_MAX, PLUGIN_SCOPES, SCOPES, type Scope, type TrustRule } from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';
import { ProjectRow } from './project.row.ts';

export const ApiKeyRow = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_key',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** Null if the key starts an account, which has the id of the key. */
    accountId: p.bigint('number').strictNullable(),
    label: p.text(),
    hash: p.text(),
    scopes: p.array<Scope>(),
    /** The plugins whose records the key sees; empty means all. */
    pluginIds: p.array<number>().columnType('integer[]').defaultRaw(`'{}'`),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    /** Null for a key. A trust is a key that nobody has. */
    trust: p.json<TrustRule>().columnType('json').strictNullable(),
    /** The issuer and the subject of a user, which is a key that nobody has; null for others. */
    userIssuer: p.text().strictNullable(),
    userSubject: p.text().strictNullable(),
  },
  indexes: [{ name: 'api_key_account_id_idx', properties: ['accountId'] }],
  uniques: [
    { name: 'api_key_hash_key', properties: ['hash'] },
    {
      name: 'api_key_user_key',
      properties: ['userIssuer', 'userSubject'],
      where: 'user_subject is not null and revoked_at is null',
    },
  ],
  checks: [
    { name: 'api_key_label_check', expression: 'char_length(label) >= 1' },
    { name: 'api_key_hash_check', expression: 'char_length(hash) = 64' },
    {
      name: 'api_key_user_check',
      expression:
        '(user_issuer is null) = (user_subject is null) and (user_subject is null or trust is null)',
    },
    {
      name: 'api_key_scopes_check',
      expression: `cardinality(scopes) >= 1 and scopes <@ array[${listed(SCOPES)}]`,
    },
    {
      name: 'api_key_plugin_ids_check',
      expression: `cardinality(plugin_ids) = 0 or cardinality(plugin_ids) <= ${KEY_PLUGINS_MAX} and scopes <@ array[${listed(PLUGIN_SCOPES)}]`,
    },
  ],
});

/** A project that a key is bound to. A key without a project has access to all projects. */
export const ApiKeyProjectRow = defineEntity({
  name: 'ApiKeyProjectRow',
  tableName: 'api_key_project',
  primaryKeys: ['keyId', 'projectId'],
  properties: {
    keyId: p
      .manyToOne(ApiKeyRow)
      .mapToPk()
      .primary()
      .joinColumn('key_id')
      .foreignKeyName('api_key_project_key_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    projectId: p
      .manyToOne(ProjectRow)
      .mapToPk()
      .primary()
      .joinColumn('project_id')
      .foreignKeyName('api_key_project_project_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
  },
});
