import { cacheVersionOf, familyNumber, type ReachedVersion, type FamilyRef } from '@plugin-config/domain';
import type { Encoding } from '@plugin-config/server';
import type { TaggedResponse } from './send-response.ts';

/**
 * The key of a response within its family. It is the id of a record, the URL of a list (and the host, if the response has links),
 * or the encoding and the plain entity tag of a compressed response.
 */
export type ResponseKey = number | string;

/** A response from the database. */
interface LoadedResponse extends ReachedVersion {
  readonly value: TaggedResponse;
  /** The key to store it under. Defaults to the requested key. */
  readonly storeKey?: ResponseKey;
  /** Defaults to true. */
  readonly isStored?: boolean;
}

/** The compressed form of a response. It shares the memory of its family. */
interface EncodedForm {
  readonly family: FamilyRef;
  readonly at: ReachedVersion;
  readonly plain: TaggedResponse;
  readonly encoding: Encoding;
}

/** The entries of one family at one cache version. A higher version invalidates all of them. */
interface FamilyEntries {
  readonly cacheVersion: number;
  readonly responses: Map<ResponseKey, TaggedResponse>;
  readonly loading: Map<ResponseKey, Promise<TaggedResponse>>;
  bytes: number;
  /** Whether an entry was used since the last eviction. */
  used: boolean;
}

/** The memory of an entry without its body and key. */
const ENTRY_BYTES = 512;
const RESPONSE_SHARE_MAX = 1 / 16;
const FAMILY_SHARE_MAX = 1 / 4;

/**
 * Caches serialised responses up to a number of bytes, and evicts the families that were not used recently. The shares of one
 * response and of one family are limited, so none can evict all others.
 */
export class ResponseCache {
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
    const count = this.#families.values().reduce((sum, { responses }) => sum + responses.size, 0);
    return { hits: this.#hits, misses: this.#misses, entries: count, bytes: this.#bytes };
  }

  /** Returns a cached response and counts the hit. */
  get(family: FamilyRef, key: ResponseKey, at: ReachedVersion): TaggedResponse | undefined {
    const response = this.#find(family, key, at);
    if (response !== undefined) this.#hits++;
    return response;
  }

  /** Returns a cached compressed form. */
  getEncoded(form: EncodedForm): TaggedResponse | undefined {
    const found = this.#find(form.family, encodedKey(form), form.at);
    return found && withHeadersOf(form.plain, found);
  }

  /** Compresses a response and caches the result, unless it is the plain response. Concurrent calls share the work. */
  async encode(form: EncodedForm, compress: () => Promise<TaggedResponse>): Promise<TaggedResponse> {
    const { family, at, plain } = form;
    const shared = await this.#load(family, encodedKey(form), at, async () => {
      const value = await compress();
      return { ...at, value, isStored: value !== plain };
    });
    return withHeadersOf(plain, shared);
  }

  #find(family: FamilyRef, key: ResponseKey, at: ReachedVersion): TaggedResponse | undefined {
    const entries = this.#families.get(familyNumber(family));
    const response =
      entries !== undefined && entries.cacheVersion >= cacheVersionOf(at)
        ? entries.responses.get(key)
        : undefined;
    if (entries === undefined || response === undefined) return undefined;
    entries.used = true;
    return response;
  }

  /** Loads a response and caches it. Concurrent misses of one key share one load. */
  load(
    family: FamilyRef,
    key: ResponseKey,
    at: ReachedVersion,
    read: () => Promise<LoadedResponse>,
  ): Promise<TaggedResponse> {
    this.#misses++;
    return this.#load(family, key, at, read);
  }

  #load(
    family: FamilyRef,
    key: ResponseKey,
    at: ReachedVersion,
    read: () => Promise<LoadedResponse>,
  ): Promise<TaggedResponse> {
    const number = familyNumber(family);
    const { loading } = this.#entriesOf(number, cacheVersionOf(at));
    const started = loading.get(key) ?? this.#read(number, key, read).finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  }

  async #read(
    number: number,
    key: ResponseKey,
    read: () => Promise<LoadedResponse>,
  ): Promise<TaggedResponse> {
    const { value, storeKey = key, isStored = true, ...at } = await read();
    if (!isStored) return value;
    const cacheVersion = cacheVersionOf(at);
    const response = withOwnMemory(value);
    const bytes =
      response.body.length + ENTRY_BYTES + (typeof storeKey === 'string' ? 2 * storeKey.length : 0);
    let entries = this.#entriesOf(number, cacheVersion);
    if (entries.cacheVersion > cacheVersion || bytes > this.#maxBytes * RESPONSE_SHARE_MAX) return response;
    if (entries.bytes + bytes > this.#maxBytes * FAMILY_SHARE_MAX) {
      this.#drop(number);
      entries = this.#entriesOf(number, cacheVersion);
    }
    if (!entries.responses.has(storeKey)) {
      entries.responses.set(storeKey, response);
      entries.bytes += bytes;
      this.#bytes += bytes;
    }
    this.#evict();
    return response;
  }

  /** Returns the entries of the family at this cache version or a newer one: newer responses also satisfy older versions. */
  #entriesOf(number: number, cacheVersion: number): FamilyEntries {
    const entries = this.#families.get(number);
    if (entries !== undefined && entries.cacheVersion >= cacheVersion) return entries;
    this.#drop(number);
    this.#evict();
    const fresh = { cacheVersion, responses: new Map(), loading: new Map(), bytes: ENTRY_BYTES, used: false };
    this.#families.set(number, fresh);
    this.#bytes += fresh.bytes;
    return fresh;
  }

  /** Evicts the oldest families; one that was used gets a second chance at the end. */
  #evict(): void {
    // An iteration begins by skipping all deleted entries of the map, which takes time.
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

function encodedKey({ plain, encoding }: EncodedForm): string {
  return `${encoding} ${plain.etag}`;
}

/** Returns a compressed form with the other headers of this response. The tag is that of the body, which other versions may share. */
function withHeadersOf(plain: TaggedResponse, { body, etag, encoded }: TaggedResponse): TaggedResponse {
  return { ...plain, body, etag, ...(encoded !== undefined && { encoded }) };
}

/** Copies a body that is a slice of a larger buffer, such as that of a compressor, so the buffer can be freed. */
function withOwnMemory(response: TaggedResponse): TaggedResponse {
  const { body } = response;
  if (body.buffer.byteLength === body.length) return response;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...response, body: own };
}
