import { packageTests } from '../../tools/vitest.ts';
import { ALONE, END_TO_END } from './vitest.alone.config.ts';

export default packageTests({ ...END_TO_END, exclude: [`${ALONE}/**`] });
