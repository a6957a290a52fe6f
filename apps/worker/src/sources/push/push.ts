import { ingestReport, type IngestReport, type MessageOrigin, type Outcome } from '@plugin-config/domain';
import type { Patience } from '@plugin-config/flow';
import { activeSpan, type Span } from '@plugin-config/tracing';
import { bodyLines, type BodyLines } from './body-lines.ts';

export interface PushOptions {
  readonly body: readonly Buffer[];
  readonly origin: MessageOrigin;
  /** The account of the sender. */
  readonly tenant: number;
  readonly patience: Patience;
}

/** A part of a push: its lines may be stored in several batches. */
export interface Portion {
  readonly push: Push;
  /** The position of the first line in the push. */
  readonly first: number;
  readonly lines: readonly string[];
  /** What it takes to read and store it, in bytes. Short lines and blank ones count as much as one of `LINE_BYTES`. */
  readonly weight: number;
}

/** The most lines of a push that a turn reads, blank ones included. */
const TURN_LINES = 500;
/** The most bytes that a turn reads, and the weight of a full turn. */
export const TURN_BYTES = 256 * 1024;
const LINE_BYTES = Math.ceil(TURN_BYTES / TURN_LINES);

/** A pushed body that is stored in portions. */
export class Push {
  readonly origin: MessageOrigin;
  readonly tenant: number;
  readonly patience: Patience;
  /** The span of the request. */
  readonly span: Span | null = activeSpan();
  readonly report: Promise<IngestReport>;
  readonly #done = Promise.withResolvers<IngestReport>();
  #body: BodyLines;
  /** The number of lines taken so far. */
  #taken = 0;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };

  constructor({ body, origin, tenant, patience }: PushOptions) {
    this.origin = origin;
    this.tenant = tenant;
    this.patience = patience;
    this.report = this.#done.promise;
    this.#body = bodyLines(body);
  }

  /** True if no lines are left. */
  get isTaken(): boolean {
    return this.#body.isRead;
  }

  /** Takes the lines of one turn; none if the turn found only blank ones, or a part of one. */
  take(): Portion {
    const { lines, count, bytes } = this.#body.read({ lines: TURN_LINES, bytes: TURN_BYTES });
    const characters = lines.reduce((sum, { length }) => sum + length, 0);
    const first = this.#taken;
    this.#taken += lines.length;
    if (lines.length > 0) this.#open++;
    this.#settle();
    return { push: this, first, lines, weight: Math.max(count * LINE_BYTES, bytes, characters) };
  }

  stored(outcomes: readonly Outcome[]): void {
    const { stored, duplicates, dead } = ingestReport(outcomes);
    const sum = this.#sum;
    this.#sum = {
      stored: sum.stored + stored,
      duplicates: sum.duplicates + duplicates,
      dead: sum.dead + dead,
    };
    this.#open--;
    this.#settle();
  }

  /** Drops the lines that are not taken yet and rejects the push. */
  fail(reason: unknown): void {
    this.#body = bodyLines([]);
    this.#done.reject(reason);
  }

  #settle(): void {
    if (this.isTaken && this.#open === 0) this.#done.resolve(this.#sum);
  }
}
