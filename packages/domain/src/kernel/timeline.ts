/**
 * Names what a store has committed, as far as nothing was lost. If a store loses commits (a failover to a standby that lags
 * behind, a restored backup), it goes on under another name: it may use the same numbers for other changes.
 */
export type TimelineId = string;

/** The form of a name, within a regular expression. */
export const TIMELINE_ID = String.raw`[a-z\d]{1,16}`;
