import { packageTests } from '../../tools/vitest.ts';

/** Tests that measure waits, so they run alone. */
export const ALONE = 'src/alone';
/** Tests that measure for minutes and depend on the machine. Only `npm run figures` runs them. */
export const FIGURES = 'src/figures';

export const END_TO_END = {
  globalSetup: '@plugin-config/persistence/testing',
  setupFiles: '@plugin-config/conformance/setup',
  testTimeout: 300_000,
};

export default packageTests({
  ...END_TO_END,
  name: '@plugin-config/e2e alone',
  within: ALONE,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
});
