import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Scope } from '@plugin-config/domain';

export const ApiKeyRow = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_key',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    label: p.text(),
    hash: p.text(),
    scopes: p.array<Scope>(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
  },
  uniques: [{ name: 'api_key_hash_key', properties: ['hash'] }],
  checks: [
    { name: 'api_key_label_check', expression: 'char_length(label) >= 1' },
    { name: 'api_key_hash_check', expression: 'char_length(hash) = 64' },
    {
      name: 'api_key_scopes_check',
      expression: `cardinality(scopes) >= 1 and scopes <@ array['plugin:read', 'plugin:write', 'plugin_log:write', '*']`,
    },
  ],
});

export type ApiKeyRow = InferEntity<typeof ApiKeyRow>;
