import { defineEntity, p } from '@mikro-orm/core';

/** A token of an identity provider that was exchanged, until it has expired. It can be exchanged once. */
export const ExchangedTokenRow = defineEntity({
  name: 'ExchangedTokenRow',
  tableName: 'exchanged_token',
  properties: {
    /** Of its issuer and its id. */
    digest: p.text().primary(),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'exchanged_token_expires_index', properties: ['expiresAt'] }],
});
