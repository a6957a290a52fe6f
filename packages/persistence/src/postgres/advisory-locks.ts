/** The keys of all advisory locks. The numbers are arbitrary but must never change, since two versions may run at once. */
export const ADVISORY_LOCK = {
  /** Held during a migration. */
  migration: 7_305_815_204_118_311n,
  /** Held while partitions of a day are created or dropped. */
  days: 7_305_815_204_118_312n,
  /** Held in shared mode by long readers of logs; exclusively to drop a day that they keep in use. */
  longReaders: 7_305_815_204_118_313n,
  /** Held while a chunk of expired rows is deleted. */
  retention: 7_305_815_204_118_314n,
  /** Held by the process that erases a project or moves days of logs. */
  erasure: 7_305_815_204_118_315n,
  /** Held while a project is deleted, so two projects that share a key are not deleted concurrently. */
  projectDeletion: 7_305_815_204_118_316n,
  /** Held while an item that belongs to no project is created or changed. For items of a project, its row is locked. */
  service: 7_305_815_204_118_318n,
  /** Held while a plugin is registered or removed. */
  registry: 7_305_815_204_118_319n,
} as const;

/** The first halves of two-part keys, which PostgreSQL keeps separate from one-part keys. */
export const ADVISORY_LOCKS = {
  /** The second half is the plugin. Held in shared mode while records are attached, which keeps its registration unchanged. */
  plugin: 7305,
  /** The second half is a hash of the account. Held while the keys are counted to issue one. */
  account: 7307,
  /** The second half is a hash of the projects that keys are bound to. Held while a key for them joins or starts an account. */
  accountOfProjects: 7308,
  /** The second half is a hash of issuer and subject; 0 while the sessions of several users end. Held while a user signs in. */
  user: 7309,
} as const;
