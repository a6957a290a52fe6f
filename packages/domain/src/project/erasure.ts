import type { Author } from '../kernel/author.ts';
import { invalidInput, type DomainError } from '../kernel/domain-error.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { ErasedKind, ErasureState } from '../vocabulary/vocabulary.ts';

/** The removal of everything that a deleted project stored. */
export interface Erasure {
  readonly projectId: number;
  readonly counts: Readonly<Record<ErasedKind, number>>;
  readonly startedAt: Date;
  /** Null while rows are left. */
  readonly finishedAt: Date | null;
}

export function erasureState({ finishedAt }: Erasure): ErasureState {
  return finishedAt === null ? 'running' : 'done';
}

export interface ErasureStore {
  /**
   * Deletes a project: from then on, no caller can find it, keys bound only to it are invalid, and its data key is
   * gone. If it is already deleted, returns its erasure. The confirmation must be the name of the project.
   * @throws DomainError `project_not_found`, or `invalid_input` if the name differs
   */
  start(projectId: number, confirmation: string, author: Author): Promise<Erasure>;
  find(projectId: number): Promise<Erasure | null>;
  /** Returns one page, newest project first. */
  page(page: PageRequest): Promise<Page<Erasure>>;
}

/** Removes the rows of deleted projects. Every step can be repeated. */
export interface Eraser {
  /**
   * Deletes a chunk of rows. The first step waits for the transactions that began before and may still write to the project.
   * Resolves to the step to continue from, or null if nothing is left.
   * @throws DomainError `busy` if a transaction takes too long
   */
  eraseChunk(projectId: number, step: number): Promise<number | null>;
  finish(projectId: number): Promise<void>;
  /** Runs the work, unless another process is erasing a project or moving days of logs: then resolves to null. */
  exclusively<T>(work: () => Promise<T>): Promise<T | null>;
}

/**
 * Erases a project, from a step on. Yields the step to continue from after each chunk. To be run `exclusively`, so none of its
 * log entries is moved while they are erased.
 */
export async function* eraseProject(
  { eraser }: { readonly eraser: Eraser },
  projectId: number,
  start = 0,
): AsyncGenerator<number> {
  for (let step: number | null = start; ;) {
    step = await eraser.eraseChunk(projectId, step);
    if (step === null) break;
    yield step;
  }
  await eraser.finish(projectId);
}

export function wrongConfirmation(): DomainError {
  const message = 'To delete a project, repeat its current name.';
  return invalidInput('name', message);
}
