/**
 * Why a stream cannot resume at the reader's cursor. `plugin_changed`: the registration of a plugin changed what
 * records show.
 */
export type ResetReason = 'malformed_cursor' | 'unknown_cursor' | 'plugin_changed';
