import { JOB_LIMITS } from '../vocabulary/vocabulary.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface TaskRules {
  /** How long a claimed task belongs to its worker, which is longer than an attempt takes. A runtime may ask for less. */
  readonly leaseMs: number;
  /** Whether a lease that has ended is left to a task that ends such leases. Otherwise the task is due again. */
  readonly keepsEndedLeases: boolean;
  /** The longest time that a task is put off. What is due later than that was put off by a clock that was ahead. */
  readonly longestWaitMs: number;
  /** How many tasks of this kind a worker runs at once. */
  readonly slots: number;
  /** How many of the slots an account gets only while it holds fewer than are free. */
  readonly reserve: number;
  /** How many more there are for keys whose last task was slow (`RunTask`), which get none of the others. */
  readonly slowSlots: number;
  /** How often the only task of the kind runs; null if tasks are added with their causes. */
  readonly everyMs: number | null;
  /** Whether the tasks of a deleted project are left. Otherwise they are no longer claimed. */
  readonly outlivesProject: boolean;
}

const DEFAULTS = {
  keepsEndedLeases: false,
  slots: 8,
  reserve: 8,
  slowSlots: 0,
  everyMs: null,
  outlivesProject: false,
} as const;
/** For kinds of which one task runs at a time. */
const ONE = { ...DEFAULTS, slots: 1, reserve: 1, outlivesProject: true } as const;

export const TASK_KINDS = {
  /** A change to a record. The key is the record, the payload the id of the job. */
  job: { ...DEFAULTS, leaseMs: MINUTE, longestWaitMs: 5 * MINUTE },
  /** A job of a plugin, which runtimes claim over HTTP. The key is the record, the payload the id of the job. */
  plugin_job: {
    ...DEFAULTS,
    keepsEndedLeases: true,
    leaseMs: JOB_LIMITS.leaseSeconds.max * SECOND,
    longestWaitMs: 5 * MINUTE,
  },
  /** Ends what runtimes have not: leases that are over, and jobs that nobody took. */
  job_ends: { ...ONE, leaseMs: MINUTE, longestWaitMs: MINUTE, everyMs: SECOND },
  /** An attempt to send an event. The key is the webhook and the project modulo 8, the payload the number of the dispatch. */
  dispatch: {
    ...DEFAULTS,
    leaseMs: MINUTE / 2,
    longestWaitMs: 10 * HOUR,
    slots: 224,
    reserve: 112,
    slowSlots: 32,
  },
  /** The removal of a deleted project. The key is the project, the payload the step to continue from. */
  erasure: { ...ONE, leaseMs: MINUTE / 2, longestWaitMs: MINUTE },
  /** An evaluation of all alerts of a project, once a minute. The key is the project, the payload where to continue from. */
  alerts: { ...DEFAULTS, leaseMs: MINUTE / 2, longestWaitMs: MINUTE, slots: 4, reserve: 4 },
  /**
   * An upgrade of all records of a plugin. The key is the plugin, the payload the records of the next turn. The lease need not be longer
   * than a turn: a turn that is repeated finds what has been upgraded.
   */
  upgrade: { ...ONE, leaseMs: 10 * SECOND, longestWaitMs: MINUTE, slots: 2, reserve: 0 },
  /** Starts the upgrades whose deadline has passed. */
  deadlines: { ...ONE, leaseMs: MINUTE, longestWaitMs: MINUTE, everyMs: MINUTE },
  // The next two also take a lock or claim rows, so their lease need not be longer than an attempt.
  /** Moves ended days of logs out of the primary store. */
  logs: { ...ONE, leaseMs: MINUTE, longestWaitMs: MINUTE, everyMs: MINUTE },
  /** Brings delivery rates up to date. */
  rates: { ...ONE, leaseMs: 20 * SECOND, longestWaitMs: MINUTE, everyMs: 2 * SECOND },
} as const satisfies Readonly<Record<string, TaskRules>>;

export type TaskKind = keyof typeof TASK_KINDS;

export const EVERY_TASK_KIND = Object.keys(TASK_KINDS) as readonly TaskKind[];
