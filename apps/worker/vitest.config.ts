import { packageTests } from '../../tools/vitest.ts';

export default packageTests({ globalSetup: '@plugin-config/persistence/testing' });
