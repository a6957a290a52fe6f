/** What the address for the acknowledgement of a message tells about it. */
export interface Delivery {
  /** How often it was delivered, this time included. */
  readonly count: number;
  readonly sequence: string;
  /** When the stream took it in, since the epoch. */
  readonly nanoseconds: string;
  readonly milliseconds: number;
}

/** Older servers leave out the domain and the account. */
const SHORT_FORM = 9;
const FIRST_OF_SHORT = 4;
const FIRST_OF_LONG = 6;
const FINER_DIGITS = 6;

/** `$JS.ACK.[domain.account.]stream.consumer.count.sequence.consumer sequence.time.pending[.…]` */
export function readDelivery(address: string): Delivery {
  const words = address.split('.');
  const first = words.length === SHORT_FORM ? FIRST_OF_SHORT : FIRST_OF_LONG;
  const sequence = words[first + 1] ?? '0';
  const nanoseconds = words[first + 3] ?? '0';
  return {
    count: Number(words[first]),
    sequence,
    nanoseconds,
    milliseconds: Number(nanoseconds.slice(0, -FINER_DIGITS)),
  };
}
