import { oncePerKey, type OncePerKey } from '@plugin-config/domain';
import { nodeTimer } from '@plugin-config/flow/node';

/** Makes what lets requests with the same `Idempotency-Key` that run at the same moment share their outcome. */
export type MakeOncePerKey = <T>() => OncePerKey<T>;

export const sharedPerKey: MakeOncePerKey = <T>() => oncePerKey<T>(nodeTimer);

/** For dry runs: no response to them is kept, so that each is answered for itself. */
export const eachForItself: MakeOncePerKey =
  <T>(): OncePerKey<T> =>
  async (_key, _deadline, work) => ({ ...(await work()), isShared: false });
