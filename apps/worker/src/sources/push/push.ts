import {
  DomainError,
  fits,
  ingestReport,
  isDead,
  largerThanQuota,
  overQuota,
  ReturnedEntry,
  sumOf,
  type DeadReason,
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

/** A part of a push, whose lines may be stored in several batches. */
export interface Chunk {
  readonly push: Push;
  readonly lines: readonly string[];
  readonly positions: readonly number[];
  /** The cost of reading and storing it, in bytes. Short and blank lines count as `LINE_BYTES`. */
  readonly weight: number;
}

/** The entries of a push that exceed the quota of a project. */
interface Excess {
  readonly amount: LogAmount;
  readonly quota: LogQuota;
}

export interface DeadLine {
  /** From 0, without blank lines. */
  readonly position: number;
  readonly reason: DeadReason;
}

export interface PushReport extends IngestReport {
  /** The first lines that became dead letters, in order. */
  readonly deadLines: readonly DeadLine[];
}

const DEAD_LINES_MAX = 100;

/** The maximum number of lines that a turn reads, including blank lines. */
const TURN_LINES = 500;
/** The maximum number of bytes that a turn reads, and the weight of a full turn. */
export const TURN_BYTES = 256 * 1024;
const LINE_BYTES = Math.ceil(TURN_BYTES / TURN_LINES);

/**
 * A pushed body, stored in chunks. In a first pass, entries over quota are returned. If no entry fits, the push is rejected.
 * Otherwise a second pass reads the returned lines again, and they become dead letters.
 */
export class Push {
  readonly tenant: number;
  readonly deadline: Deadline;
  readonly span: Span | null = activeSpan();
  readonly report: Promise<PushReport>;
  readonly #done = Promise.withResolvers<PushReport>();
  readonly #body: readonly Buffer[];
  #origin: MessageOrigin;
  #reading: BodyLines;
  /** The number of lines read so far. */
  #read = 0;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };
  #deadLines: DeadLine[] = [];
  /** The positions of the returned entries. */
  #returned: number[] = [];
  readonly #excess = new Map<number, Excess>();
  /** True if an entry was not returned. */
  #hasAccepted = false;
  /** The positions that the second pass still has to read, in descending order; null in the first pass. */
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

  /** True once all lines have been taken. */
  get isTaken(): boolean {
    return this.#reading.isRead;
  }

  /** Takes the lines of one turn; none if the turn finds only blank lines, or a part of a line. */
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

  /**
   * Records the outcomes of a chunk and its parsed messages. Returns true if more lines must be taken. Fails the push if messages
   * could not be stored; sending it again stores the missing messages.
   */
  stored({ positions }: Chunk, outcomes: readonly Outcome[], read: readonly Message[]): boolean {
    if (outcomes.includes('unavailable')) this.fail(entriesUnavailable());
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome instanceof ReturnedEntry) this.#addReturned(outcome, positions[at] ?? 0);
      else if (!isReport(read[at])) this.#hasAccepted = true;
      if (isDead(outcome)) this.#addDead(positions[at] ?? 0, outcome);
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

  /** Drops the lines that have not been taken yet, and rejects the push. */
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

  #addReturned({ projectId, amount, quota }: ReturnedEntry, position: number): void {
    const before = this.#excess.get(projectId)?.amount;
    this.#excess.set(projectId, { amount: before === undefined ? amount : sumOf(before, amount), quota });
    this.#returned.push(position);
  }

  /** Keeps the first dead lines; lines of the second pass may precede others. */
  #addDead(position: number, reason: DeadReason): void {
    if (this.#deadLines.length >= DEAD_LINES_MAX && position > (this.#deadLines.at(-1)?.position ?? 0))
      return;
    this.#deadLines = [...this.#deadLines, { position, reason }]
      .toSorted((a, b) => a.position - b.position)
      .slice(0, DEAD_LINES_MAX);
  }

  #settle(): void {
    if (!this.isTaken || this.#open > 0) return;
    if (this.#returned.length === 0) this.#done.resolve({ ...this.#sum, deadLines: this.#deadLines });
    else if (this.#hasAccepted) this.#startSecondPass();
    else this.fail(this.#isTooLarge() ? largerThanQuota() : overQuota(this.#origin.receivedAt));
  }

  #isTooLarge(): boolean {
    return [...this.#excess.values()].some(({ amount, quota }) => !fits(amount, quota));
  }

  #startSecondPass(): void {
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

function entriesUnavailable(): DomainError {
  const detail = 'Some entries belong to days in ClickHouse, which is unreachable.';
  return new DomainError('unavailable', detail, { retryAfterSeconds: 10 });
}
