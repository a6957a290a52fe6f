/** A container of a Compose file or a Kubernetes manifest. */
export interface Container {
  /** The file and the name in it. */
  readonly where: string;
  readonly image: string;
  readonly args: readonly string[];
  /** Its environment, with samples for the values that the operator provides. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables with secret values. */
  readonly secrets: ReadonlySet<string>;
  /** The exposed ports. */
  readonly ports: readonly number[];
  readonly probes: readonly { readonly port: number; readonly path: string }[];
}

/** The image that the Dockerfile in the root builds. */
export const IMAGE = 'plugin-config-service';

/** Values that the operator provides: secrets, and addresses. */
const SAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://user:password@host:5432/database',
  CLICKHOUSE_PASSWORD: 'clickhouse-password',
  CLICKHOUSE_URL: 'http://user:password@host:8123/database',
  NATS_PASSWORD: 'nats-password',
  NATS_URL: 'nats://user:password@one:4222,nats://two:4222',
  POSTGRES_PASSWORD: 'password',
  PUBLIC_URL: 'https://plugins.example.com',
  REPLICATION_PASSWORD: 'replication-password',
  SECRETS_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

export function sampleOf(name: string): string {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(`${name} has no sample in tools/deployment/container.ts.`);
  return sample;
}
