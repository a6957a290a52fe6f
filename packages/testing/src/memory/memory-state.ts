import type {
  ActivityEntry,
  ApiKey,
  ConfigRecord,
  Configuration,
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
  readonly version: number;
}

export interface StoredKey extends ApiKey {
  readonly hash: string;
}

export interface Registration {
  /** The last record, by its id, whose configuration is sealed as the schema asks. */
  readonly sealedUpTo: number;
  readonly plugin: Plugin;
  readonly seed: Configuration;
  readonly revision: number;
}

export interface StoredRecord {
  readonly record: Omit<ConfigRecord, 'pluginInfo' | 'pluginRevision'>;
  readonly secrets: SealedSecrets;
}

export interface StoredActivity {
  readonly recordId: number;
  readonly entry: ActivityEntry;
}

export interface StoredJob {
  readonly job: Job;
  /** When it may be claimed. */
  readonly dueAt: Date;
  readonly claims: number;
}

/** A line of a job that no log has yet. */
export interface StoredLine {
  readonly entry: LogEntry;
  /** When it may be taken. */
  readonly dueAt: Date;
}

/** What an earlier request was answered. */
export interface StoredAnswer {
  readonly holder: string;
  readonly outcome: Omit<Once<unknown>, 'isFirst'>;
  readonly bytes: number;
  readonly at: Date;
}

/** All that is stored. Values are never changed, only replaced. */
export interface MemoryState {
  readonly projects: Map<number, Project>;
  readonly families: Map<string, StoredFamily>;
  readonly keys: Map<number, StoredKey>;
  readonly plugins: Map<number, Registration>;
  /** The last one of each plugin, also of one that was removed. */
  readonly pluginRevisions: Map<number, number>;
  readonly records: Map<number, StoredRecord>;
  readonly activity: Map<number, StoredActivity>;
  readonly jobs: Map<string, StoredJob>;
  /** How many turns all projects had when one had its last. */
  readonly turns: Map<number, number>;
  /** By the ids of the entries. */
  readonly outbox: Map<string, StoredLine>;
  /** By the names of the requests. */
  readonly answers: Map<string, StoredAnswer>;
}

export function emptyState(): MemoryState {
  return {
    projects: new Map(),
    families: new Map(),
    keys: new Map(),
    plugins: new Map(),
    pluginRevisions: new Map(),
    records: new Map(),
    activity: new Map(),
    jobs: new Map(),
    turns: new Map(),
    outbox: new Map(),
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
    records: new Map(state.records),
    activity: new Map(state.activity),
    jobs: new Map(state.jobs),
    turns: new Map(state.turns),
    outbox: new Map(state.outbox),
    answers: new Map(state.answers),
  };
}

export function familyKey({ projectId, family }: FamilyRef): string {
  return `${projectId}/${family}`;
}
