import {
  DomainError,
  fits,
  ingestReport,
  largerThanQuota,
  overQuota,
  ReturnedEntry,
  sumOf,
  type IngestReport,
  type LogAmount,
  type LogQuota,
  type Message,
  type MessageOrigin,
  type Outcome,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import { activeSpan, type Span } from '@plugin-config/tracing';
import { bodyLines, type BodyLines } from './body-lines.ts';

export interface PushOptions {
  readonly body: readonly Buffer[];
  readonly origin: MessageOrigin;
  /** The account of the sender. */
  readonly tenant: number;
  readonly deadline: Deadline;
}

/** A part of a push: its lines may be stored in several batches. */
export interface Chunk {
  readonly push: Push;
  readonly lines: readonly string[];
  /** The positions of the lines in the push. */
  readonly positions: readonly number[];
  /** What it takes to read and store it, in bytes. Short lines and blank ones count as much as one of `LINE_BYTES`. */
  readonly weight: number;
}

/** What of a push the quota of a project had no room for. */
interface Rejected {
  readonly amount: LogAmount;
  readonly quota: LogQuota;
}

/** The most lines of a push that a turn reads, blank ones included. */
const TURN_LINES = 500;
/** The most bytes that a turn reads, and the weight of a full turn. */
export const TURN_BYTES = 256 * 1024;
const LINE_BYTES = Math.ceil(TURN_BYTES / TURN_LINES);

/**
 * A pushed body that is stored in chunks. Entries over quota are given back first: if these are all entries, the push is rejected, and
 * otherwise their lines are read once more to become dead letters.
 */
export class Push {
  readonly tenant: number;
  readonly deadline: Deadline;
  /** The span of the request. */
  readonly span: Span | null = activeSpan();
  readonly report: Promise<IngestReport>;
  readonly #done = Promise.withResolvers<IngestReport>();
  readonly #body: readonly Buffer[];
  #origin: MessageOrigin;
  #reading: BodyLines;
  /** The number of lines read so far. */
  #read = 0;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };
  /** The positions of the entries that were given back. */
  #returned: number[] = [];
  readonly #rejected = new Map<number, Rejected>();
  /** True if an entry was not given back. */
  #hasOthers = false;
  /** The sorted positions that are read once more, as far as they are not; null at first. */
  #again: number[] | null = null;

  constructor({ body, origin, tenant, deadline }: PushOptions) {
    this.#body = body;
    this.#origin = { ...origin, overQuota: 'return' };
    this.tenant = tenant;
    this.deadline = deadline;
    this.report = this.#done.promise;
    this.#reading = bodyLines(body);
  }

  get origin(): MessageOrigin {
    return this.#origin;
  }

  /** True if no lines are left. */
  get isTaken(): boolean {
    return this.#reading.isRead;
  }

  /** Takes the lines of one turn; none if the turn found only blank ones, or a part of one. */
  take(): Chunk {
    const { lines: found, count, bytes } = this.#reading.read({ lines: TURN_LINES, bytes: TURN_BYTES });
    const first = this.#read;
    this.#read += found.length;
    const wanted = [...found.keys()].filter((at) => this.#isWanted(first + at));
    const lines = wanted.length === found.length ? found : wanted.flatMap((at) => found[at] ?? []);
    const characters = lines.reduce((sum, { length }) => sum + length, 0);
    if (lines.length > 0) this.#open++;
    this.#settle();
    return {
      push: this,
      lines,
      positions: wanted.map((at) => first + at),
      weight: Math.max(count * LINE_BYTES, bytes, characters),
    };
  }

  /** Notes the outcomes of a chunk and what was read of it. Returns true if lines are to be taken once more. A push with
   * messages that could not be stored fails: sent again, it stores what is missing. */
  stored({ positions }: Chunk, outcomes: readonly Outcome[], read: readonly Message[]): boolean {
    if (outcomes.includes('unavailable')) this.fail(archiveUnavailable());
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome instanceof ReturnedEntry) this.#reject(outcome, positions[at] ?? 0);
      else if (!isReport(read[at])) this.#hasOthers = true;
    }
    const { stored, duplicates, dead } = ingestReport(outcomes);
    const sum = this.#sum;
    this.#sum = {
      stored: sum.stored + stored,
      duplicates: sum.duplicates + duplicates,
      dead: sum.dead + dead,
    };
    this.#open--;
    this.#settle();
    return !this.isTaken;
  }

  /** Drops the lines that are not taken yet and rejects the push. */
  fail(reason: unknown): void {
    this.#reading = bodyLines([]);
    this.#returned = [];
    this.#done.reject(reason);
  }

  #isWanted(position: number): boolean {
    if (this.#again === null) return true;
    if (this.#again.at(-1) !== position) return false;
    this.#again.pop();
    return true;
  }

  #reject({ projectId, amount, quota }: ReturnedEntry, position: number): void {
    const before = this.#rejected.get(projectId)?.amount;
    this.#rejected.set(projectId, { amount: before === undefined ? amount : sumOf(before, amount), quota });
    this.#returned.push(position);
  }

  #settle(): void {
    if (!this.isTaken || this.#open > 0) return;
    if (this.#returned.length === 0) this.#done.resolve(this.#sum);
    else if (this.#hasOthers) this.#takeAgain();
    else this.fail(this.#isTooLarge() ? largerThanQuota() : overQuota(this.#origin.receivedAt));
  }

  #isTooLarge(): boolean {
    return [...this.#rejected.values()].some(({ amount, quota }) => !fits(amount, quota));
  }

  #takeAgain(): void {
    this.#again = this.#returned.toSorted((a, b) => b - a);
    this.#returned = [];
    this.#origin = { ...this.#origin, overQuota: 'keep' };
    this.#reading = bodyLines(this.#body);
    this.#read = 0;
  }
}

function isReport(message: Message | undefined): boolean {
  return message?.kind === 'delivery' || message?.kind === 'error';
}

function archiveUnavailable(): DomainError {
  const detail = 'Some entries are of days that are archived, and the archive is out of reach.';
  return new DomainError('unavailable', detail, { retryAfterSeconds: 10 });
}
