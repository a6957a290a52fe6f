import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
} from '@nats-io/jwt';

/** The operator of a NATS server with JWT authentication, with one account that may use streams. */
export interface NatsOperator {
  /** Configuration lines for the server. */
  readonly configuration: string;
  /** The path of a user's credentials file. */
  readonly credentials: string;
}

const UNLIMITED = -1;

export async function natsOperator(): Promise<NatsOperator> {
  const [operator, system, account, user] = [
    createOperator(),
    createAccount(),
    createAccount(),
    createUser(),
  ];
  const limits = {
    subs: UNLIMITED,
    data: UNLIMITED,
    payload: UNLIMITED,
    conn: UNLIMITED,
    imports: UNLIMITED,
    exports: UNLIMITED,
    wildcards: true,
    leaf: 0,
  };
  const streams = {
    mem_storage: UNLIMITED,
    disk_storage: UNLIMITED,
    streams: UNLIMITED,
    consumer: UNLIMITED,
  };
  const signer = { signer: operator };
  const accounts = [
    [system, await encodeAccount('system', system, { limits }, signer)],
    [account, await encodeAccount('logs', account, { limits: { ...limits, ...streams } }, signer)],
  ] as const;
  const token = await encodeUser('worker', user, account);
  return {
    configuration: `operator: ${await encodeOperator('test', operator)}
      system_account: ${system.getPublicKey()}
      resolver: MEMORY
      resolver_preload: { ${accounts.map(([key, jwt]) => `${key.getPublicKey()}: ${jwt}`).join('\n')} }`,
    credentials: Buffer.from(fmtCreds(token, user)).toString(),
  };
}
