import { packageTests } from '../../tools/vitest.ts';
import { ALONE, END_TO_END, FIGURES } from './vitest.alone.config.ts';

export default packageTests({ ...END_TO_END, exclude: [`${ALONE}/**`, `${FIGURES}/**`] });
