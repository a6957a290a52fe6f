import { fileURLToPath } from 'node:url';

/** The folder of Node's compile cache, inside `node_modules`. */
export const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
