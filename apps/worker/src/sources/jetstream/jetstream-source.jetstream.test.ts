import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startNatsServer, type NatsServer } from '../../testing/nats-server.ts';
import { jetStreamSource } from './jetstream-source.ts';

let server: NatsServer;
let streams = 0;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const jetStreamTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const number = (streams += 1);
    const settings = {
      stream: `S${number}`,
      subject: `logs.${number}.>`,
      consumer: 'worker',
      retentionDays: 7,
      replicas: 1,
    };
    const source = jetStreamSource({ address: { url: server.url }, ...settings });
    const connection = await connect({ servers: server.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: settings.stream, subjects: [settings.subject] });
    const send = async (lines: readonly string[]): Promise<void> => {
      for (const line of lines) connection.publish(`logs.${number}.x`, line);
      await connection.flush();
    };
    try {
      await run({ source, send, stop: new AbortController() });
    } finally {
      await source.close();
      await connection.close();
    }
  });

describe('the JetStream source', () => {
  logSourceContract(jetStreamTest);
});
