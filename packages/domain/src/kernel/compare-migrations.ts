export interface Migration {
  readonly name: string;
  readonly checksum: string;
}

export interface SchemaState {
  /** The migrations that the code needs and the store has not run. */
  readonly missing: readonly string[];
  /** Why the code cannot work with the store, even after running the missing migrations; null if it can. */
  readonly problem: string | null;
}

/**
 * Compares the migrations of the code with the migrations that a store has run, both in order. The store may be newer, because
 * the previous release works on the new schema.
 * @param store the name of the store, capitalised to start a sentence
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
        : `${store} was created by an unreleased version, with a different migration ${other.name}: run that version, or use a new database.`,
  };
}
