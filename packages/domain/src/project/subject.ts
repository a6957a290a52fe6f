// The subjects of the items in lists of all projects.

export interface ProjectSubject {
  readonly id: number;
  readonly externalId: string | null;
  readonly name: string;
}

export interface RecordSubject {
  readonly id: number;
  /** An unnamed record is called by the name of its plugin and its id. */
  readonly name: string;
}

export interface PluginSubject {
  readonly id: number;
  /** Null if it has none. */
  readonly slug: string | null;
  /** Null if the plugin is not registered. */
  readonly name: string | null;
}
