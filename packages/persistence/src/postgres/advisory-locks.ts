/**
 * The keys of all advisory locks, so that none stands for two things. Any numbers will do, as long as they stay and are
 * different: processes of two versions share them.
 */
export const ADVISORY_LOCK = {
  /** Held by whoever migrates the database. */
  migration: 7_305_815_204_118_311n,
  /** Held by whoever makes or drops the partitions of a day. */
  days: 7_305_815_204_118_312n,
  /** Shared by readers who take long, and closed where they keep a day from being dropped. */
  logGate: 7_305_815_204_118_313n,
  /** Held by whoever deletes a portion of what is older than its retention. */
  retention: 7_305_815_204_118_314n,
} as const;

/** The first halves of keys that have a second half. PostgreSQL never takes such a key for one of the others. */
export const ADVISORY_LOCKS = {
  /** By plugin: what is registered about it stays as it is while records are attached to it. */
  plugin: 7305,
} as const;
