import { oncePerKey, type OncePerKey } from '@plugin-config/domain';
import { nodeTimer } from '@plugin-config/flow/node';

/** Creates a function that lets concurrent requests with the same `Idempotency-Key` share their outcome. */
export type MakeOncePerKey = <T>() => OncePerKey<T>;

export const sharedPerKey: MakeOncePerKey = <T>() => oncePerKey<T>(nodeTimer);

/** For dry runs, whose responses are not stored. */
export const notShared: MakeOncePerKey =
  <T>(): OncePerKey<T> =>
  (_key, _deadline, work) =>
    work();
