/** A schema migration. Its statements can be repeated: they are rerun after a failure, and may run on several servers at once. */
export interface Migration {
  readonly name: string;
  /** @param cluster the name of the cluster, null for a single server */
  readonly statements: (cluster: string | null) => readonly string[];
}
