import { fileURLToPath } from 'node:url';

/** Where what was compiled once is read back from: a folder of whoever installed the packages. */
export const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
