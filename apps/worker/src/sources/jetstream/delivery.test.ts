import { expect, test } from 'vitest';
import { readDelivery } from './delivery.ts';

const TIME = 1_767_268_800_123;
const ADDRESSES = [
  `$JS.ACK.LOGS.worker.2.17.19.${TIME}456789.3`,
  `$JS.ACK.hub.ACCOUNT.LOGS.worker.2.17.19.${TIME}456789.3`,
  `$JS.ACK.hub.ACCOUNT.LOGS.worker.2.17.19.${TIME}456789.3.x7Yz`,
];

test.each(ADDRESSES)('parses count, sequence and time from %s', (address) => {
  expect(readDelivery(address)).toEqual({
    count: 2,
    sequence: 17n,
    nanoseconds: BigInt(TIME) * 1_000_000n + 456_789n,
  });
});
