const COUNTER_MAX = 0xfff;

/**
 * Makes version 7 UUIDs, each greater than the one before. Entries of one millisecond are listed by their ids, so a log
 * keeps the order in which it was written.
 */
export function uuid7Source(): (now: number) => string {
  let time = 0;
  let counter = 0;
  return (now) => {
    if (now > time) {
      time = now;
      counter = 0;
    } else if (counter === COUNTER_MAX) {
      time++;
      counter = 0;
    } else {
      counter++;
    }
    const random = crypto.getRandomValues(new Uint8Array(8));
    random[0] = 0x80 | ((random[0] ?? 0) & 0x3f);
    const hex = [
      time.toString(16).padStart(12, '0'),
      '7',
      counter.toString(16).padStart(3, '0'),
      toHex(random),
    ];
    return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
