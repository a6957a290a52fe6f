import type {
  ActivityEntry,
  ApiKey,
  AuditEntry,
  Author,
  ConfigRecord,
  Configuration,
  Edition,
  FamilyRef,
  Job,
  LogEntry,
  Once,
  Plugin,
  Project,
  SealedSecrets,
} from '@plugin-config/domain';

export interface StoredFamily {
  readonly revision: number;
  readonly listVersion: number;
  readonly orderRevision: number;
}

export interface StoredKey extends ApiKey {
  readonly hash: string;
}

export interface Registration {
  /** Id of the last record whose configuration has been sealed for the schema; null after the last one. */
  readonly sealedUpTo: number | null;
  readonly plugin: Plugin;
  readonly seed: Configuration;
  readonly revision: number;
}

export interface StoredRecord {
  readonly record: Omit<ConfigRecord, 'pluginInfo' | 'pluginRevision'>;
  readonly secrets: SealedSecrets;
  /** Revision of the family at which the answer last changed. */
  readonly familyRevision: number;
  /** The author of the present edition, and its number. */
  readonly edition: Author & Pick<Edition, 'number'>;
}

export interface StoredActivity {
  readonly recordId: number;
  readonly entry: ActivityEntry;
}

export interface StoredJob {
  readonly job: Job;
  /** Time from which the job may be claimed. */
  readonly dueAt: Date;
  readonly claims: number;
}

/** A line of a job that is not in a log yet. */
export interface StoredLine {
  readonly entry: LogEntry;
  /** Time from which the line may be taken. */
  readonly dueAt: Date;
}

/** Stored answer of an earlier request. */
export interface StoredAnswer {
  readonly author: string;
  readonly outcome: Omit<Once<unknown>, 'isFirst'>;
  readonly bytes: number;
  readonly at: Date;
}

export interface StoredOwnership {
  readonly manager: string;
  readonly key: string;
  readonly preventDestroy: boolean;
  /** The version of the record, and the last entry of its history, when it was applied or adopted last. */
  readonly appliedVersion: number;
  readonly appliedEntry: number;
}

/** Stored data. Values are replaced, never mutated. */
export interface MemoryState {
  readonly projects: Map<number, Project>;
  readonly families: Map<string, StoredFamily>;
  readonly keys: Map<number, StoredKey>;
  readonly plugins: Map<number, Registration>;
  /** The number of registrations and removals of each plugin, including removed plugins. */
  readonly pluginRevisions: Map<number, number>;
  readonly audit: Map<number, AuditEntry>;
  readonly records: Map<number, StoredRecord>;
  readonly activity: Map<number, StoredActivity>;
  /** The earlier editions of each record, the oldest first. */
  readonly editions: Map<number, readonly Edition[]>;
  readonly jobs: Map<string, StoredJob>;
  /** Number of the latest turn of each project. Turns are numbered over all projects. */
  readonly turns: Map<number, number>;
  /** Keyed by the id of the entry. */
  readonly outbox: Map<string, StoredLine>;
  /** Keyed by the id of the record. */
  readonly managed: Map<number, StoredOwnership>;
  /** Keyed by the name of the request. */
  readonly answers: Map<string, StoredAnswer>;
}

export function emptyState(): MemoryState {
  return {
    projects: new Map(),
    families: new Map(),
    keys: new Map(),
    plugins: new Map(),
    pluginRevisions: new Map(),
    audit: new Map(),
    records: new Map(),
    activity: new Map(),
    editions: new Map(),
    jobs: new Map(),
    turns: new Map(),
    outbox: new Map(),
    managed: new Map(),
    answers: new Map(),
  };
}

export function copyOf(state: MemoryState): MemoryState {
  return {
    projects: new Map(state.projects),
    families: new Map(state.families),
    keys: new Map(state.keys),
    plugins: new Map(state.plugins),
    pluginRevisions: new Map(state.pluginRevisions),
    audit: new Map(state.audit),
    records: new Map(state.records),
    activity: new Map(state.activity),
    editions: new Map(state.editions),
    jobs: new Map(state.jobs),
    turns: new Map(state.turns),
    outbox: new Map(state.outbox),
    managed: new Map(state.managed),
    answers: new Map(state.answers),
  };
}

export function familyKey({ projectId, family }: FamilyRef): string {
  return `${projectId}/${family}`;
}
