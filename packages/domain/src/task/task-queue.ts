import type { TaskKind } from './task-kind.ts';

export interface NewTask {
  readonly kind: TaskKind;
  /** 0 for work that belongs to no project. */
  readonly projectId: number;
  /** The account that shares the slots of the kind with others; null if that is the project. */
  readonly accountId: number | null;
  /** Identifies what the task works on. Tasks of one kind and key run one at a time, in the order they were added. */
  readonly key: number;
  readonly payload: string | null;
}

export interface Task extends NewTask {
  readonly id: number;
  /** Counts the claims. Only the latest one can settle the task. */
  readonly attempts: number;
}

export interface TaskClaim {
  readonly limit: number;
  /** The tenants (`tenantOf`) that have no free slot. */
  readonly exceptTenants: readonly number[];
  readonly exceptKeys?: readonly number[];
  readonly onlyKeys?: readonly number[];
}

/** When a task is due again, and its new payload; by default it keeps its own. */
export interface NextTurn {
  /** Infinity holds the task until its owner makes it due. */
  readonly dueInMs: number;
  readonly payload?: string;
}

export interface TaskBacklog {
  /** The tasks that wait for a worker, counted up to 100,000. */
  readonly due: number;
  readonly running: number;
}

/**
 * The queue of all background work. Times are by the store's clock, which may step: a lease or wait that is too long for its kind
 * counts as ended.
 */
export interface TaskQueue {
  /** Adds tasks that are due at once. Work that is part of another change is added in the transaction of that change. */
  add(tasks: readonly NewTask[]): Promise<void>;
  /** Adds a task unless there is one of its kind and key. Two callers at once may add one each. */
  ensure(task: NewTask): Promise<void>;
  /**
   * Makes tasks due whose wait or lease has ended. Returns the kinds that have due tasks. Others may have some, too, if there
   * are very many.
   */
  wake(): Promise<ReadonlySet<TaskKind>>;
  /**
   * Claims due tasks for one worker, at most one of each key: the first, unless another task of the key is running. Projects
   * take turns, then the keys of a project.
   */
  claim(kind: TaskKind, claim: TaskClaim): Promise<readonly Task[]>;
  /**
   * Removes a task, or makes it due again. Resolves to false, and does nothing, if it has been claimed again or removed. Most
   * work settles its task in its own transaction instead.
   */
  settle(task: Task, next: NextTurn | null): Promise<boolean>;
  backlog(): Promise<Readonly<Record<TaskKind, TaskBacklog>>>;
}

/** Identifies who shares the slots: an account, or a project without one. */
export function tenantOf({ accountId, projectId }: Pick<Task, 'accountId' | 'projectId'>): number {
  return accountId ?? -projectId;
}
