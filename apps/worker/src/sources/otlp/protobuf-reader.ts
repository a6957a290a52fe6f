import type { Count } from './read-record.ts';

const TYPE_BITS = 3;
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED32 = 5;
const VARINT_BYTES_MAX = 10;
const GROUPS_MAX = 32;

/** Combines the number and type of a field, as returned by `ProtobufReader.next`. */
export const fieldOf = {
  varint: (number: number): number => (number << TYPE_BITS) | VARINT,
  fixed64: (number: number): number => (number << TYPE_BITS) | FIXED64,
  bytes: (number: number): number => (number << TYPE_BITS) | BYTES,
};

/** Reads one protobuf message field by field. Throws a `SyntaxError` if the message is malformed. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  readonly #count: Count;
  #at = 0;
  #field = 0;

  /** @param count counts each field */
  constructor(bytes: Buffer, count: Count) {
    this.#bytes = bytes;
    this.#count = count;
  }

  /** Moves to the next field. The caller must read or skip its value. Returns 0 at the end of the message. */
  next(): number {
    if (this.#at === this.#bytes.length) return 0;
    this.#count();
    this.#field = this.#varint();
    if (this.#field >>> TYPE_BITS === 0 || this.#field > 0xffff_ffff)
      throw malformed('a field has no number');
    return this.#field;
  }

  skip(depth = 0): void {
    switch (this.#field % (1 << TYPE_BITS)) {
      case VARINT:
        return void this.#varint();
      case FIXED64:
        return void this.#take(8);
      case FIXED32:
        return void this.#take(4);
      case BYTES:
        return void this.bytes();
      case GROUP:
        return this.#skipGroup(depth);
      default:
        throw malformed('a field has no type');
    }
  }

  bytes(): Buffer {
    const length = this.#varint();
    const start = this.#take(length);
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    return this.bytes().toString();
  }

  /** Reads an `int64` or an `int32`. */
  integer(): bigint {
    const start = this.#at;
    this.#varint();
    let value = 0n;
    for (let at = this.#at - 1; at >= start; at--)
      value = (value << 7n) | BigInt((this.#bytes[at] ?? 0) & 0x7f);
    return BigInt.asIntN(64, value);
  }

  fixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  /** Groups predate protobuf 3, so only unknown fields can be groups. */
  #skipGroup(depth: number): void {
    const end = this.#field - GROUP + GROUP_END;
    if (depth > GROUPS_MAX) throw malformed('too many nested groups');
    while (this.next() !== end) {
      if (this.#at === this.#bytes.length) throw malformed('a group does not end');
      this.skip(depth + 1);
    }
  }

  /** Exact for lengths and fields. Only approximate above 53 bits. */
  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < VARINT_BYTES_MAX; count++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw malformed('the message ends too early');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw malformed('an integer has more than 64 bits');
  }

  /** Consumes bytes, and returns where they begin. */
  #take(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw malformed('the message ends too early');
    this.#at += count;
    return start;
  }
}

function malformed(reason: string): SyntaxError {
  return new SyntaxError(reason);
}
