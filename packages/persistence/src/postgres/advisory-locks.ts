/**
 * The keys of all advisory locks, in one place so that they stay distinct. Any numbers do, but they must never change:
 * processes of two versions share them.
 */
export const ADVISORY_LOCK = {
  /** Held during a migration. */
  migration: 7_305_815_204_118_311n,
  /** Held while partitions of a day are created or dropped. */
  days: 7_305_815_204_118_312n,
  /** Held in shared mode by long readers of logs; exclusively to drop a day that they keep in use. */
  longReaders: 7_305_815_204_118_313n,
  /** Held while a chunk of expired rows is deleted. */
  retention: 7_305_815_204_118_314n,
  /** Held by the process that archives days of logs. */
  archiver: 7_305_815_204_118_315n,
} as const;

/** The first halves of two-part keys. PostgreSQL keeps one-part and two-part keys apart. */
export const ADVISORY_LOCKS = {
  /**
   * The second half is the plugin. Held in shared mode while records are attached, so that its registration stays the
   * same.
   */
  plugin: 7305,
  /** The second half is the hash of a family. Held while a new runtime is counted. */
  runtimes: 7306,
  /** The second half is a hash of the account. Held while a key of it is issued, so that its keys are counted. */
  account: 7307,
} as const;
