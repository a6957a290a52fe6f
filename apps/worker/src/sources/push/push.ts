import { ingestReport, type IngestReport, type MessageOrigin, type Outcome } from '@plugin-config/domain';
import type { Patience } from '@plugin-config/flow';
import { activeSpan, type Span } from '@plugin-config/tracing';
import { MESSAGE_MAX_BYTES } from '../batch-limits.ts';
import { isBlank, lineSplitter } from '../line-splitter.ts';

export interface PushOptions {
  readonly body: readonly Buffer[];
  readonly origin: MessageOrigin;
  /** The tenant of the push (`tenantOf`). */
  readonly tenant: number;
  readonly patience: Patience;
}

/** A part of a push: its lines may be stored in several batches. */
export interface Portion {
  readonly push: Push;
  /** The position of the first line in the push. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly characters: number;
}

/** The most lines of a push in one turn. */
export const TURN_MESSAGES = 500;
export const TURN_CHARACTERS = 256 * 1024;
/** The most bytes that a turn reads, for example of blank lines. */
const TURN_BYTES = 256 * 1024;

/** A pushed body that is stored in portions. */
export class Push {
  readonly origin: MessageOrigin;
  readonly tenant: number;
  readonly patience: Patience;
  /** The span of the request. */
  readonly span: Span | null = activeSpan();
  readonly report: Promise<IngestReport>;
  readonly #done = Promise.withResolvers<IngestReport>();
  readonly #splitter = lineSplitter({ maxBytes: MESSAGE_MAX_BYTES });
  #body: readonly Buffer[];
  #read = 0;
  /** The lines of the last block that was read. */
  #lines: readonly string[] = [];
  #next = 0;
  /** The number of lines taken so far. */
  #taken = 0;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };

  constructor({ body, origin, tenant, patience }: PushOptions) {
    this.origin = origin;
    this.tenant = tenant;
    this.patience = patience;
    this.report = this.#done.promise;
    this.#body = body;
  }

  /** True if no lines are left. */
  get isTaken(): boolean {
    return this.#read >= this.#body.length && this.#next === this.#lines.length;
  }

  /** Takes the lines of one turn; none if the turn found only blank lines. */
  take(): Portion {
    const lines: string[] = [];
    let characters = 0;
    let bytes = 0;
    while (lines.length < TURN_MESSAGES && characters < TURN_CHARACTERS) {
      const line = this.#lines[this.#next];
      if (line !== undefined) {
        this.#next++;
        if (isBlank(line)) continue;
        lines.push(line);
        characters += line.length;
      } else if (this.isTaken || bytes >= TURN_BYTES) break;
      else bytes += this.#readOn();
    }
    const first = this.#taken;
    this.#taken += lines.length;
    if (lines.length > 0) this.#open++;
    this.#settle();
    return { push: this, first, lines, characters };
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
    this.#body = [];
    this.#lines = [];
    this.#next = 0;
    this.#done.reject(reason);
  }

  /** Reads the next block of the body. Returns its number of bytes. */
  #readOn(): number {
    const block = this.#body[this.#read++] as Buffer;
    const lines = this.#splitter.add(block);
    this.#lines = this.#read < this.#body.length ? lines : [...lines, ...this.#splitter.end()];
    this.#next = 0;
    return block.length;
  }

  #settle(): void {
    if (this.isTaken && this.#open === 0) this.#done.resolve(this.#sum);
  }
}
