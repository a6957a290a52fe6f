import type { DeadLetter, NewDeadLetter } from './dead-letter.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { DeadReason } from '../message/dead-reason.ts';

export interface DeadLetterBounds {
  /** Dead letters added more than this many days ago, by the store's clock, are deleted. */
  readonly retentionDays: number;
  readonly ofOwner: DeadLetterBound;
  /** The bounds for all owners together. */
  readonly ofAll: DeadLetterBound;
}

export interface DeadLetterBound {
  readonly count: number;
  /** The total size of the texts in UTF-8. */
  readonly bytes: number;
}

export interface Trimmed {
  readonly tooOld: number;
  readonly tooMany: number;
}

/** A dead letter as its project sees it. */
export interface ShownDeadLetter extends Pick<
  DeadLetter,
  'id' | 'recordId' | 'reason' | 'receivedAt' | 'channel'
> {
  /** The first `SHOWN_TEXT_MAX` characters of the message. */
  readonly text: string;
}

export const SHOWN_TEXT_MAX = 1_000;

export interface DeadLetterStore {
  /** Returns one page of the dead letters that a project owns, newest first. */
  page(projectId: number, page: PageRequest): Promise<Page<ShownDeadLetter>>;
  count(): Promise<number>;
  /** Returns the next dead letters after this id, sorted by id. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly DeadLetter[]>;
  /** Returns the existing dead letters with these ids, sorted by id. */
  find(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Resolves to the number of deleted dead letters. */
  drop(ids: readonly number[]): Promise<number>;
  dropAll(): Promise<number>;
  /**
   * Deletes the oldest dead letters of each owner until the rest are within the bounds. If all owners together exceed
   * theirs, the owners with the most lose dead letters first, and those below their share lose none. Resolves to the
   * number of deleted dead letters by reason.
   */
  trim(bounds: DeadLetterBounds): Promise<Trimmed>;
}

export interface DeadLetterWriter {
  /** Locks these dead letters until the batch ends. Resolves to the ids that exist. */
  lock(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Adds the dead letters that do not exist yet, compared by identity. In the same step, an owner with more than
   * `mostOfOwner` loses its oldest dead letters. Existing dead letters displace none.
   */
  add(letters: readonly NewDeadLetter[], mostOfOwner: number): Promise<void>;
  /** Updates the reasons of dead letters whose retry failed again. */
  changeReasons(reasons: ReadonlyMap<number, DeadReason>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
