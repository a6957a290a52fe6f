import type * as contract from '@plugin-config/contract';

/** The value that a schema of the contract describes, as it is received. */
export type Wire<Schema extends keyof typeof contract> = contract.Received<(typeof contract)[Schema]>;
