import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { sampled } from '../../../../../tools/property-runs.ts';
import { certificateAuthority } from '../../testing/certificates.ts';
import { expectProblem, readiness } from '../../testing/expect-problem.ts';
import { natsOperator } from '../../testing/nats-operator.ts';
import { startNatsServer } from '../../testing/nats-server.ts';
import { openStream } from '../../testing/stream.ts';
import { test } from '../../testing/worker.fixture.ts';
import { connectOptions, type NatsAddress } from './connect-options.ts';
import { connectionProblem } from './connection-problem.ts';
import { jetStreamSource, type JetStreamSource } from './jetstream-source.ts';

/** The first tier tries one wrong file of each table. */
const ONE = 1;
const WITHIN_MS = 20_000;

type Files = Readonly<Record<string, string>>;

/** A folder with files that can be replaced, like mounted secrets. */
async function mounted(files: Files) {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-files-'));
  const path = (name: string): string => join(folder, name);
  const replace = async (changed: Files): Promise<void> => {
    for (const [name, text] of Object.entries(changed)) await writeFile(path(name), text);
  };
  await replace(files);
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  return { path, replace, [Symbol.asyncDispose]: remove };
}

async function certificates(): Promise<Files> {
  const authority = await certificateAuthority('ours');
  const [server, worker] = [await authority.sign(), await authority.sign()];
  return {
    'ca.pem': authority.certificate,
    'server.pem': server.certificate,
    'server.key': server.key,
    'trusted.pem': authority.certificate,
    'worker.pem': worker.certificate,
    'worker.key': worker.key,
  };
}

interface Access {
  /** Configures the server. */
  readonly configuration: string;
  readonly address: Omit<NatsAddress, 'url'>;
}

const mutualTls = (path: (name: string) => string): Access => ({
  configuration: `tls { cert_file: "${path('server.pem')}", key_file: "${path('server.key')}",
    ca_file: "${path('ca.pem')}", verify: true }`,
  address: { caFile: path('trusted.pem'), certFile: path('worker.pem'), keyFile: path('worker.key') },
});

/** Reads the source until it yields a batch, and expects one with this text. */
async function expectBatch(source: JetStreamSource, text: string): Promise<void> {
  const stop = new AbortController();
  for await (const { messages, acknowledge } of source.batches(stop.signal)) {
    expect(messages.map((message) => message.text)).toEqual([text]);
    await acknowledge([]);
    stop.abort();
  }
}

interface Case {
  readonly right: Files;
  readonly wrong: Files;
  readonly reason: RegExp;
  access(path: (name: string) => string): Access;
}

/** Expects the source to report the problem while its files are wrong, and to read the stream once they are fixed. */
async function expectRecovery({ right, wrong, reason, access }: Case): Promise<void> {
  await using ours = await mounted({ ...right, ...wrong });
  await using theirs = await mounted(right);
  const { configuration, address: publishers } = access(theirs.path);
  await using server = await startNatsServer(configuration);
  await using stream = await openStream({ url: server.url, ...publishers });
  await stream.prepare(30_000);
  await stream.publish(['a line']);
  const source = jetStreamSource({
    address: { url: server.url, ...access(ours.path).address },
    stream: 'PLUGIN_LOGS',
    subject: 'plugin.logs.>',
    consumer: 'plugin-config-worker',
    retentionDays: 7,
    replicas: 1,
  });
  await expect(expectBatch(source, 'a line')).rejects.toThrow(reason);
  expect(source.problem()).toMatch(reason);
  await ours.replace(right);
  await expectBatch(source, 'a line');
  expect(source.problem()).toBeNull();
  await source.close();
}

const MISMATCHED = [
  ['trusts another authority', ['trusted.pem'], /signature failure.*NATS_CA/],
  ['presents a certificate of another authority', ['worker.pem', 'worker.key'], /NATS_CERT and NATS_KEY/],
  ['has the key of another certificate', ['worker.key'], /key values mismatch.*NATS_CERT and NATS_KEY/],
] as const;

test.concurrent.for(sampled(MISMATCHED, ONE))(
  'a worker that %s reports it, and recovers once its files are fixed',
  async ([, names, reason]) => {
    const [right, other] = [await certificates(), await certificates()];
    const wrong = Object.fromEntries(names.map((name) => [name, other[name] ?? '']));
    await expectRecovery({ right, wrong, reason, access: mutualTls });
  },
);

const EMPTY = [
  ['trusted.pem', /unable to verify.*NATS_CA/],
  ['worker.pem', /no start line.*NATS_CERT/],
] as const;

test.concurrent.for(sampled(EMPTY, ONE))(
  'reports that %s contains no certificate',
  async ([name, reason]) => {
    await expectRecovery({
      right: await certificates(),
      wrong: { [name]: 'nothing' },
      reason,
      access: mutualTls,
    });
  },
);

test('reports a server without TLS if TLS is required', async () => {
  await using server = await startNatsServer();
  await expect(connect(connectOptions({ url: server.url.replace('nats', 'tls') }))).rejects.toSatisfy(
    (error) => /does not support 'tls'.*NATS_URL/.test(connectionProblem(error)),
  );
});

test.concurrent.for(sampled(['another operator', 'no user'] as const, ONE))(
  'a worker with credentials of %s reports it, and recovers once they are fixed',
  async (issuer) => {
    const { configuration, credentials } = await natsOperator();
    const wrong = issuer === 'no user' ? 'nothing' : (await natsOperator()).credentials;
    await expectRecovery({
      right: { creds: credentials },
      wrong: { creds: wrong },
      reason:
        issuer === 'no user' ? /NATS_CREDS.*no user credentials/ : /Authorization Violation.*NATS_CREDS/,
      access: (path) => ({ configuration, address: { credsFile: path('creds') } }),
    });
  },
);

test.concurrent(
  'reports credentials that expire while it is connected, and recovers with new ones',
  { tags: ['long'] },
  async ({ bed }) => {
    const [first, second] = [await natsOperator(), await natsOperator()];
    await using files = await mounted({ creds: first.credentials });
    await using server = await startNatsServer(first.configuration);
    using worker = await bed.serve({ NATS_URL: server.url, NATS_CREDS: files.path('creds') });
    await until(async () => (await readiness(worker.url)).startsWith('200'), WITHIN_MS);
    await server.configure(second.configuration);
    await expectProblem(worker, 'NATS_CREDS', () => files.replace({ creds: second.credentials }));
  },
);

test.concurrent('reports a wrong password, and recovers once NATS accepts it', async ({ bed }) => {
  const user = (password: string) => `authorization { user: worker, password: ${password} }`;
  await using server = await startNatsServer(user('another'));
  using worker = await bed.serve({ NATS_URL: server.urlOf('worker') });
  await expectProblem(worker, 'NATS_URL', () => server.configure(user('worker')));
  expect(await readiness(worker.url)).toMatch(/^200/);
});
