import { ingestReport, type IngestReport, type Origin, type Outcome } from '@plugin-config/domain';
import { isBlank, lineSplitter } from '../line-splitter.ts';

/** A body on its way into the store, in as many portions as that takes. */
export class Push {
  readonly origin: Origin;
  readonly report: Promise<IngestReport>;
  readonly #done = Promise.withResolvers<IngestReport>();
  readonly #body: readonly Buffer[];
  #read = 0;
  readonly #splitter = lineSplitter({ mostBytes: Number.POSITIVE_INFINITY });
  /** Of the body read so far, those that are still to be taken. */
  #lines: readonly string[] = [];
  #exhausted = false;
  #taken = 0;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };

  constructor(body: readonly Buffer[], origin: Origin) {
    this.origin = origin;
    this.report = this.#done.promise;
    this.#body = body;
  }

  /** Of the next line that is taken, among all of this push. */
  get position(): number {
    return this.#taken;
  }

  /** Nothing is left to be taken. */
  get isTaken(): boolean {
    return this.#exhausted && this.#lines.length === 0;
  }

  /** The next lines that are still to be stored, so many at the most; none where all were taken. */
  take(most: number): readonly string[] {
    this.#readOn();
    const taken = this.#lines.slice(0, most);
    this.#lines = this.#lines.slice(most);
    this.#readOn();
    this.#taken += taken.length;
    if (taken.length > 0) this.#open++;
    this.#settle();
    return taken;
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

  failed(reason: unknown): void {
    this.#exhausted = true;
    this.#lines = [];
    this.#done.reject(reason);
  }

  /** To the next line, or to the end. */
  #readOn(): void {
    while (this.#lines.length === 0 && !this.#exhausted) {
      const chunk = this.#body[this.#read++];
      this.#exhausted = chunk === undefined;
      const lines = chunk === undefined ? this.#splitter.end() : this.#splitter.add(chunk);
      this.#lines = lines.filter((line) => !isBlank(line));
    }
  }

  #settle(): void {
    if (this.isTaken && this.#open === 0) this.#done.resolve(this.#sum);
  }
}
