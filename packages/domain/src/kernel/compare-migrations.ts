export interface Migration {
  readonly name: string;
  /** The checksum of what it does. */
  readonly checksum: string;
}

export interface SchemaState {
  /** The migrations that the code needs and the store lacks. */
  readonly missing: readonly string[];
  /** Why the code cannot work with the store even if it runs the missing ones; null if it can. */
  readonly problem: string | null;
}

/**
 * Compares the migrations of the code with those that a store has run, both in order. A store may have run newer ones:
 * the previous release works on the new schema.
 * @param store the name of the store, as the beginning of a sentence
 */
export function compareMigrations(
  store: string,
  own: readonly Migration[],
  past: readonly Migration[],
): SchemaState {
  const other = own.find(({ name, checksum }, i) => {
    const step = past[i];
    return step !== undefined && (step.name !== name || step.checksum !== checksum);
  });
  return {
    missing: own.slice(past.length).map(({ name }) => name),
    problem:
      other === undefined
        ? null
        : `${store} was made by an unreleased version, whose migration ${other.name} was another one: run that version, or use a new database.`,
  };
}
