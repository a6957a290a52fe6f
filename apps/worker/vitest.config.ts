import { packageTests } from '../../tools/vitest.ts';
import { natsServerPath } from './src/testing/nats-path.ts';

const isWithoutNats = natsServerPath() === undefined && process.env['CI'] === undefined;
if (isWithoutNats) {
  process.stderr.write(
    'The JetStream source was not tested: install nats-server (apt-get install nats-server, brew install nats-server) to have that done too.\n',
  );
}

export default packageTests({
  globalSetup: '@plugin-config/persistence/testing',
  exclude: [
    '**/node_modules/**',
    ...(isWithoutNats ? ['**/*.jetstream.test.ts', '**/*.jetstream.fault.test.ts'] : []),
  ],
});
