const COUNTER_MAX = 0xfff;

/** Returns a generator of increasing version 7 UUIDs. Log entries of the same millisecond are sorted by id, so they keep their order. */
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
      ...Array.from(random, (byte) => byte.toString(16).padStart(2, '0')),
    ];
    return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
}
