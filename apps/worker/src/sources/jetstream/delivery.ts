/** The delivery of a message, as encoded in its reply subject. */
export interface Delivery {
  /** The number of deliveries so far. */
  readonly count: number;
  readonly sequence: bigint;
  /** When the stream stored the message, in nanoseconds since 1970. */
  readonly nanoseconds: bigint;
}

/** The number of tokens on older servers, which omit domain and account. */
const SHORT_FORM = 9;
const FIRST_OF_SHORT = 4;
const FIRST_OF_LONG = 6;

/** Parses `$JS.ACK.[domain.account.]stream.consumer.count.sequence.consumer sequence.time.pending[.…]`. */
export function readDelivery(address: string): Delivery {
  const words = address.split('.');
  const first = words.length === SHORT_FORM ? FIRST_OF_SHORT : FIRST_OF_LONG;
  const [count, sequence = '0', , nanoseconds = '0'] = words.slice(first);
  return { count: Number(count), sequence: BigInt(sequence), nanoseconds: BigInt(nanoseconds) };
}
