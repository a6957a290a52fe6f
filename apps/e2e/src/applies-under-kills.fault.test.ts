/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { PluginConfigError, type Document } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { cutConnections, killAndRestart } from './testing/kills.ts';
import { serviceOfFile } from './testing/running-service.ts';

/** Each round runs several applies and interrupts one of them. */
const ROUNDS = propertyRuns(5);
const APPLIES = 5;
const RECORDS = 40;
const LATEST_CUT_MS = 60;
const TIMEOUT_MS = propertyTimeout(120_000);
const PAUSE_MS = 50;
const MANAGER = 'team';

const running = serviceOfFile();

/** Returns a document in which every record differs from the previous step, and some come and go. */
function documentAt(step: number): Document & { readonly plugin_configs: readonly object[] } {
  const present = Array.from({ length: RECORDS }, (_, index) => index).filter(
    (index) => (index + step) % 5 !== 0,
  );
  return {
    format: 1,
    manager: MANAGER,
    plugin_configs: present.map((index) => ({
      key: `k${index}`,
      plugin: 1 + (index % 3),
      name: `name ${step}`,
      config: { step, index },
    })),
  };
}

const namesIn = ({ plugin_configs: records = [] }: Document): readonly string[] =>
  records.map(({ key, name }) => `${key} ${name}`).toSorted();

/** Repeats a read while connections are being cut. */
async function untilSuccessful<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PluginConfigError) || error.type === 'invalid_request') throw error;
      await sleep(PAUSE_MS);
    }
  }
}

test(
  'an apply that is killed at any point is atomic, and repeating it completes it',
  async () => {
    const service = running();
    const tenant = await service.tenant();
    const { configuration } = tenant;
    const planOf = async (document: Document) => {
      const { base } = await configuration.plan({ document });
      return { document, base };
    };
    let rejected = 0;
    await configuration.apply(await planOf(documentAt(0)));
    for (let step = 1; step <= ROUNDS * APPLIES; step++) {
      const document = documentAt(step);
      const request = { ...(await planOf(document)), max_deletes: RECORDS };
      const idempotencyKey = `apply ${step}`;
      const applied = configuration.apply(request, { idempotencyKey }).catch((error: unknown) => error);
      if (step % APPLIES === 0) {
        await sleep((step * 37) % LATEST_CUT_MS);
        await (step % (2 * APPLIES) === 0 ? cutConnections(service) : killAndRestart(service, 'http'));
      }
      const outcome = await applied;
      const found = await untilSuccessful(async () =>
        namesIn(await configuration.export({ manager: MANAGER })),
      );
      expect([namesIn(document), namesIn(documentAt(step - 1))]).toContainEqual(found);
      const isRejected = outcome instanceof PluginConfigError;
      if (isRejected) rejected += 1;
      expect(isRejected ? namesIn(document) : found).toEqual(namesIn(document));
      await untilSuccessful(async () => configuration.apply(request, { idempotencyKey }));
      expect(namesIn(await configuration.export({ manager: MANAGER }))).toEqual(namesIn(document));
      expect((await configuration.plan({ document })).changes).toEqual([]);
    }
    expect(rejected).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
