/** Why a stream does not go on where its reader left it. */
export type ResetReason = 'malformed_cursor' | 'unknown_cursor';
