import { packageTests } from '../../tools/vitest.ts';

/** Most of these tests wait for processes, so two of their files run side by side. */
export default packageTests({ globalSetup: '@plugin-config/persistence/testing', maxWorkers: 2 });
