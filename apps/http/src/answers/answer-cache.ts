import { familyNumber, type FamilyRef } from '@plugin-config/domain';
import type { Encoding } from '@plugin-config/server';
import type { Answer } from './send-answer.ts';

/**
 * The key of an answer within its family: the id of a record; of a list its URL, with the host if the answer has links; of a
 * compressed form its encoding and the tag of the plain answer.
 */
export type AnswerKey = number | string;

/** An answer as loaded, with the key to store it under if that is not the requested key. */
interface LoadedAnswer {
  readonly cacheVersion: number;
  readonly value: Answer;
  readonly storeKey?: AnswerKey;
  /** Whether to store the answer at all; true unless given. */
  readonly stored?: boolean;
}

/** Keeps the compressed forms of answers. */
export interface EncodedAnswers {
  find(plain: Answer, encoding: Encoding): Answer | undefined;
  /** Makes an answer and keeps it. Concurrent calls share it. */
  make(plain: Answer, encoding: Encoding, compressed: () => Promise<Answer>): Promise<Answer>;
}

/** The cache entries of one family at one cache version. A higher one invalidates all of them at once. */
interface FamilyEntries {
  readonly cacheVersion: number;
  readonly answers: Map<AnswerKey, Answer>;
  readonly loading: Map<AnswerKey, Promise<Answer>>;
  bytes: number;
  /** True if the entries were used since the last eviction run. */
  used: boolean;
}

/** The memory of an entry beside its body and key. */
const ENTRY_BYTES = 512;
const ANSWER_SHARE_MAX = 1 / 16;
const FAMILY_SHARE_MAX = 1 / 4;

/**
 * Caches finished answers, bounded in bytes. Evicts the families that were not used recently. Neither one answer nor one
 * family may take so much that it evicts all others.
 */
export class AnswerCache {
  readonly #maxBytes: number;
  readonly #families = new Map<number, FamilyEntries>();
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
    const count = this.#families.values().reduce((sum, { answers }) => sum + answers.size, 0);
    return { hits: this.#hits, misses: this.#misses, entries: count, bytes: this.#bytes };
  }

  /** Finds a cached answer and counts it. */
  get(family: FamilyRef, key: AnswerKey, cacheVersion: number): Answer | undefined {
    const answer = this.#find(family, key, cacheVersion);
    if (answer !== undefined) this.#hits++;
    return answer;
  }

  /** The compressed forms of a family's answers. They are cached beside the plain ones and take of the same memory. */
  encoded(family: FamilyRef, cacheVersion: number): EncodedAnswers {
    const keyOf = ({ etag }: Answer, encoding: Encoding): string => `${encoding} ${etag}`;
    return {
      find: (plain, encoding) => this.#find(family, keyOf(plain, encoding), cacheVersion),
      make: (plain, encoding, compressed) =>
        this.#load(family, keyOf(plain, encoding), cacheVersion, async () => {
          const value = await compressed();
          return { cacheVersion, value, stored: value !== plain };
        }),
    };
  }

  #find(family: FamilyRef, key: AnswerKey, cacheVersion: number): Answer | undefined {
    const entries = this.#families.get(familyNumber(family));
    const answer =
      entries !== undefined && entries.cacheVersion >= cacheVersion ? entries.answers.get(key) : undefined;
    if (entries === undefined || answer === undefined) return undefined;
    entries.used = true;
    return answer;
  }

  /** Loads an answer and caches it. Concurrent misses of one key share one load. */
  load(
    family: FamilyRef,
    key: AnswerKey,
    cacheVersion: number,
    read: () => Promise<LoadedAnswer>,
  ): Promise<Answer> {
    this.#misses++;
    return this.#load(family, key, cacheVersion, read);
  }

  #load(
    family: FamilyRef,
    key: AnswerKey,
    cacheVersion: number,
    read: () => Promise<LoadedAnswer>,
  ): Promise<Answer> {
    const number = familyNumber(family);
    const { loading } = this.#entriesOf(number, cacheVersion);
    const started = loading.get(key) ?? this.#read(number, key, read).finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  }

  async #read(number: number, key: AnswerKey, read: () => Promise<LoadedAnswer>): Promise<Answer> {
    const { cacheVersion, value, storeKey = key, stored = true } = await read();
    if (!stored) return value;
    const answer = withOwnMemory(value);
    const bytes = answer.body.length + ENTRY_BYTES + (typeof storeKey === 'string' ? 2 * storeKey.length : 0);
    let entries = this.#entriesOf(number, cacheVersion);
    if (entries.cacheVersion > cacheVersion || bytes > this.#maxBytes * ANSWER_SHARE_MAX) return answer;
    if (entries.bytes + bytes > this.#maxBytes * FAMILY_SHARE_MAX) {
      this.#drop(number);
      entries = this.#entriesOf(number, cacheVersion);
    }
    if (!entries.answers.has(storeKey)) {
      entries.answers.set(storeKey, answer);
      entries.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#evict();
    return answer;
  }

  /** The family's entries at this cache version or a newer one; a newer answer is valid for an older cache version, too. */
  #entriesOf(number: number, cacheVersion: number): FamilyEntries {
    const entries = this.#families.get(number);
    if (entries !== undefined && entries.cacheVersion >= cacheVersion) return entries;
    this.#drop(number);
    this.#evict();
    const fresh = { cacheVersion, answers: new Map(), loading: new Map(), bytes: ENTRY_BYTES, used: false };
    this.#families.set(number, fresh);
    this.#bytes += fresh.bytes;
    return fresh;
  }

  /** Evicts families from the oldest on; a family that was used moves to the end once (second chance). */
  #evict(): void {
    // Before its first family, an iterator passes over the places of all that were dropped.
    if (this.#bytes <= this.#maxBytes) return;
    for (const [number, entries] of this.#families) {
      if (this.#bytes <= this.#maxBytes) return;
      if (entries.used) {
        entries.used = false;
        this.#families.delete(number);
        this.#families.set(number, entries);
      } else this.#drop(number);
    }
  }

  #drop(number: number): void {
    this.#bytes -= this.#families.get(number)?.bytes ?? 0;
    this.#families.delete(number);
  }
}

/** Copies a body that is a part of a larger block, such as the buffer of a compressor: the block would stay in memory. */
function withOwnMemory(answer: Answer): Answer {
  const { body } = answer;
  if (body.buffer.byteLength === body.length) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...answer, body: own };
}
