/** Why a stream does not go on where its reader left it. `plugin_changed`: the registration of a plugin changed what records show. */
export type ResetReason = 'malformed_cursor' | 'unknown_cursor' | 'plugin_changed';
