import { packageTests } from '../../tools/vitest.ts';

export default packageTests({ globalSetup: './src/testing/test-cluster.ts' });
