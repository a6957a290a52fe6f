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
  #exhausted = false;
  #open = 0;
  #sum: IngestReport = { stored: 0, duplicates: 0, dead: 0 };

  constructor(body: readonly Buffer[], origin: Origin) {
    this.origin = origin;
    this.report = this.#done.promise;
    this.#body = body;
  }

  /** The next lines that are still to be stored; null where there are none. */
  next(): { readonly lines: readonly string[]; readonly bytes: number } | null {
    while (!this.#exhausted) {
      const chunk = this.#body[this.#read++];
      this.#exhausted = chunk === undefined;
      const lines = chunk === undefined ? this.#splitter.end() : this.#splitter.add(chunk);
      const messages = lines.filter((line) => !isBlank(line));
      if (messages.length === 0) continue;
      this.#open++;
      return { lines: messages, bytes: chunk?.length ?? 0 };
    }
    this.#settle();
    return null;
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
    this.#done.reject(reason);
  }

  #settle(): void {
    if (this.#exhausted && this.#open === 0) this.#done.resolve(this.#sum);
  }
}
