import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { packageTests } from '../../tools/vitest.ts';

/** Tests that say how long a caller waits: nothing else may run beside them. */
const ALONE = 'src/alone/**/*.test.ts';

const part = (test: ViteUserConfig['test']) => ({ extends: true as const, test });

export default mergeConfig(
  packageTests({
    globalSetup: '@plugin-config/persistence/testing',
    setupFiles: '@plugin-config/conformance/setup',
    testTimeout: 120_000,
    // The projects add to this list.
    include: [],
  }),
  {
    test: {
      projects: [
        part({
          name: 'together',
          include: ['**/*.test.ts'],
          exclude: [ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        }),
        part({ name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 1 } }),
      ],
    },
  },
);
