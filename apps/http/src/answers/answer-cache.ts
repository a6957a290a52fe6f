import { familyNumber, type AtRevision, type FamilyRef } from '@plugin-config/domain';
import type { Answer } from './send-answer.ts';

/** What tells the answers about one family apart: the id of a record, or the address of a list. */
export type AnswerKey = number | string;

/** The answers about one family at one revision: all of them grow old at once. */
interface Shelf {
  readonly revision: number;
  readonly answers: Map<AnswerKey, Answer>;
  readonly loading: Map<AnswerKey, Promise<Answer>>;
  bytes: number;
  /** Asked for since room was last made. */
  wanted: boolean;
}

/** What an answer takes beside its body. */
const ENTRY_BYTES = 512;
const SHARE_MAX = 1 / 16;

/**
 * Finished answers. Bounded in bytes: the families that were not asked about in a while go first, and one answer
 * that would push too much else out is not kept at all.
 */
export class AnswerCache {
  readonly #maxBytes: number;
  readonly #shelves = new Map<number, Shelf>();
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
    const entries = this.#shelves.values().reduce((sum, { answers }) => sum + answers.size, 0);
    return { hits: this.#hits, misses: this.#misses, entries, bytes: this.#bytes };
  }

  get(family: FamilyRef, key: AnswerKey, revision: number): Answer | undefined {
    const shelf = this.#shelves.get(familyNumber(family));
    const answer = shelf?.revision === revision ? shelf.answers.get(key) : undefined;
    if (shelf === undefined || answer === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    shelf.wanted = true;
    return answer;
  }

  /** Those who miss the same answer at the same revision wait for one reading of it. */
  load(
    family: FamilyRef,
    key: AnswerKey,
    revision: number,
    read: () => Promise<AtRevision<Answer>>,
  ): Promise<Answer> {
    const place = familyNumber(family);
    const loading = this.#shelfAt(place, revision)?.loading;
    const started = loading?.get(key) ?? this.#read(place, key, read).finally(() => loading?.delete(key));
    loading?.set(key, started);
    return started;
  }

  async #read(place: number, key: AnswerKey, read: () => Promise<AtRevision<Answer>>): Promise<Answer> {
    const { revision, value: answer } = await read();
    const bytes = answer.body.length + ENTRY_BYTES;
    const shelf = bytes <= this.#maxBytes * SHARE_MAX ? this.#shelfAt(place, revision) : null;
    if (shelf !== null && !shelf.answers.has(key)) {
      shelf.answers.set(key, answer);
      shelf.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#makeRoom();
    return answer;
  }

  /** Null where there is a newer one: what is older than that is not kept. */
  #shelfAt(place: number, revision: number): Shelf | null {
    const shelf = this.#shelves.get(place);
    if (shelf !== undefined && shelf.revision >= revision) return shelf.revision === revision ? shelf : null;
    this.#drop(place);
    this.#makeRoom();
    const fresh = { revision, answers: new Map(), loading: new Map(), bytes: ENTRY_BYTES, wanted: false };
    this.#shelves.set(place, fresh);
    this.#bytes += fresh.bytes;
    return fresh;
  }

  /** From the oldest on: what was wanted in the meantime gets another turn, at the end. */
  #makeRoom(): void {
    for (const [place, shelf] of this.#shelves) {
      if (this.#bytes <= this.#maxBytes) return;
      if (shelf.wanted) {
        shelf.wanted = false;
        this.#shelves.delete(place);
        this.#shelves.set(place, shelf);
      } else this.#drop(place);
    }
  }

  #drop(place: number): void {
    this.#bytes -= this.#shelves.get(place)?.bytes ?? 0;
    this.#shelves.delete(place);
  }
}
