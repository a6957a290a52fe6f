import type { Origin } from '@plugin-config/domain';
import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { pushSource } from './push-source.ts';

const origin: Origin = {
  channel: 'http',
  receivedAt: new Date(),
  streamTime: null,
  projectIds: [],
  deadLetterId: null,
};

const pushTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const source = pushSource();
    const send = async (lines: readonly string[]): Promise<void> => {
      const body = [Buffer.from(lines.join('\n'))];
      await source.push(body, origin).catch(() => send(lines));
    };
    await run({ source, send, stop: new AbortController() });
  });

describe('the push source', () => {
  logSourceContract(pushTest);
});
