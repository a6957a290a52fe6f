export interface OwnMigration {
  readonly name: string;
  /** The checksum of what it does. */
  readonly checksum: string;
}

/** A migration that a store has run. What unreleased versions did not note is null. */
export interface PastMigration {
  readonly name: string;
  readonly checksum: string | null;
  /** The last migration of the oldest code that can run on the schema after this one. */
  readonly oldestCode: string | null;
}

export interface SchemaState {
  /** The migrations that the code needs and the store lacks. */
  readonly missing: readonly string[];
  /** Why the code cannot work with the store even if it runs the missing ones; null if it can. */
  readonly problem: string | null;
}

/**
 * Compares the migrations of the code with those that a store has run. Newer ones are no problem if they say so: in the
 * middle of an upgrade, a process of the previous version may start.
 * @param store the name of the store, as the beginning of a sentence
 */
export function compareMigrations(
  store: string,
  own: readonly OwnMigration[],
  past: readonly PastMigration[],
): SchemaState {
  const names = new Set(past.map(({ name }) => name));
  return {
    missing: own.map(({ name }) => name).filter((name) => !names.has(name)),
    problem: problemOf(store, own, past),
  };
}

function problemOf(
  store: string,
  own: readonly OwnMigration[],
  past: readonly PastMigration[],
): string | null {
  const checksums = new Map(own.map(({ name, checksum }) => [name, checksum]));
  const other = past.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (other !== undefined) {
    return `${store} was made by an unreleased version, whose migration ${other.name} was another one: run that version, or use a new database.`;
  }
  const unfit = past.find(
    ({ name, oldestCode }) => !checksums.has(name) && (oldestCode === null || !checksums.has(oldestCode)),
  );
  if (unfit === undefined) return null;
  return `${store} is newer than this code (${unfit.name}): run the version that migrated it, or a newer one.`;
}
