import type { AtRevision } from '@plugin-config/domain';
import type { Answer } from './send-answer.ts';

interface Kept {
  readonly revision: number;
  readonly answer: Answer;
  readonly bytes: number;
  /** Asked for since room was last made. */
  wanted: boolean;
}

/** What an entry takes beside its body and its key. */
const ENTRY_BYTES = 256;
const SHARE_MAX = 1 / 16;

/**
 * Finished answers, each good for the one revision that it was read at. Bounded in bytes: what was not asked for
 * in a while goes first, and what would push too much else out is not kept at all.
 */
export class AnswerCache {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, Kept>();
  readonly #loading = new Map<string, Promise<Answer>>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  get statistics(): {
    readonly hits: number;
    readonly misses: number;
    readonly entries: number;
    readonly bytes: number;
  } {
    return { hits: this.#hits, misses: this.#misses, entries: this.#kept.size, bytes: this.#bytes };
  }

  get(key: string, revision: number): Answer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.revision !== revision) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    kept.wanted = true;
    return kept.answer;
  }

  /** Those who miss the same answer at the same revision wait for one reading of it. */
  load(key: string, revision: number, read: () => Promise<AtRevision<Answer>>): Promise<Answer> {
    const loadingKey = `${revision} ${key}`;
    const loading = this.#loading.get(loadingKey);
    if (loading !== undefined) return loading;
    const started = this.#read(key, read).finally(() => this.#loading.delete(loadingKey));
    this.#loading.set(loadingKey, started);
    return started;
  }

  async #read(key: string, read: () => Promise<AtRevision<Answer>>): Promise<Answer> {
    const { revision, value: answer } = await read();
    const older = this.#kept.get(key);
    if (older === undefined || older.revision < revision) this.#keep(key, revision, answer);
    return answer;
  }

  #keep(key: string, revision: number, answer: Answer): void {
    this.#drop(key);
    const bytes = answer.body.length + 2 * key.length + ENTRY_BYTES;
    if (bytes > this.#maxBytes * SHARE_MAX) return;
    this.#kept.set(key, { revision, answer, bytes, wanted: false });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  /** From the oldest on: what was wanted in the meantime gets another turn, at the end. */
  #makeRoom(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      if (kept.wanted) {
        this.#kept.delete(key);
        this.#kept.set(key, { ...kept, wanted: false });
      } else this.#drop(key);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}
