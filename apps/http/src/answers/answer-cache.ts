import { familyNumber, type AtRevision, type FamilyRef } from '@plugin-config/domain';
import type { Answer } from './send-answer.ts';

/** What tells the answers about one family apart: the id of a record, or the address of a list. */
export type AnswerKey = number | string;

/** What was read, and the key to keep it by where that is not the one that was asked for. */
interface Reading extends AtRevision<Answer> {
  readonly key?: AnswerKey;
}

/** The answers about one family at one revision: all of them grow old at once. */
interface Shelf {
  readonly revision: number;
  readonly answers: Map<AnswerKey, Answer>;
  readonly loading: Map<AnswerKey, Promise<Answer>>;
  bytes: number;
  /** Asked for since room was last made. */
  wanted: boolean;
}

/** What an answer takes beside its body and its key. */
const ENTRY_BYTES = 512;
const ANSWER_SHARE_MAX = 1 / 16;
const SHELF_SHARE_MAX = 1 / 4;

/**
 * Finished answers. Bounded in bytes: the families that were not asked about in a while go first. No answer, and no
 * family, takes so much that it pushes out all others.
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
    const answer = shelf !== undefined && shelf.revision >= revision ? shelf.answers.get(key) : undefined;
    if (shelf === undefined || answer === undefined) return undefined;
    this.#hits++;
    shelf.wanted = true;
    return answer;
  }

  /** Those who miss the same answer wait for one reading of it. */
  load(family: FamilyRef, asked: AnswerKey, revision: number, read: () => Promise<Reading>): Promise<Answer> {
    this.#misses++;
    const place = familyNumber(family);
    const { loading } = this.#openShelf(place, revision);
    const started = loading.get(asked) ?? this.#read(place, asked, read).finally(() => loading.delete(asked));
    loading.set(asked, started);
    return started;
  }

  async #read(place: number, asked: AnswerKey, read: () => Promise<Reading>): Promise<Answer> {
    const { revision, value: answer, key = asked } = await read();
    const bytes = answer.body.length + ENTRY_BYTES + (typeof key === 'string' ? 2 * key.length : 0);
    let shelf = this.#openShelf(place, revision);
    if (shelf.revision > revision || bytes > this.#maxBytes * ANSWER_SHARE_MAX) return answer;
    if (shelf.bytes + bytes > this.#maxBytes * SHELF_SHARE_MAX) {
      this.#drop(place);
      shelf = this.#openShelf(place, revision);
    }
    if (!shelf.answers.has(key)) {
      shelf.answers.set(key, answer);
      shelf.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#makeRoom();
    return answer;
  }

  /** The one at this revision, or one that is newer already: what was true later was true in time as well. */
  #openShelf(place: number, revision: number): Shelf {
    const shelf = this.#shelves.get(place);
    if (shelf !== undefined && shelf.revision >= revision) return shelf;
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
