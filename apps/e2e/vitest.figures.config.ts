import { packageTests } from '../../tools/vitest.ts';
import { END_TO_END, FIGURES } from './vitest.alone.config.ts';

export default packageTests({
  ...END_TO_END,
  name: '@plugin-config/e2e figures',
  within: FIGURES,
  maxWorkers: 1,
});
