import { defineEntity, p } from '@mikro-orm/core';

/** A registration or removal whose attached records are not all marked as changed. It is committed with the change. */
export const PluginChangeRow = defineEntity({
  name: 'PluginChangeRow',
  tableName: 'plugin_change',
  properties: {
    plugin: p.integer().primary().autoincrement(false),
    /** The number of the registration or removal. */
    revision: p.bigint('number'),
    /** What registrations declared secret that ended before their sealing came to all records: to be noted for each of these. */
    secrets: p.array().defaultRaw(`'{}'`),
  },
});
