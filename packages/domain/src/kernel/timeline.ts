/**
 * Identifies the history of commits in a store. A store that loses commits (a failover to a lagging standby, a
 * restored backup) gets a new id, because it may reuse the same numbers for other changes.
 */
export type TimelineId = string;

/** The pattern of a timeline id, for use in regular expressions. */
export const TIMELINE_ID = String.raw`[a-z\d]{1,16}`;
