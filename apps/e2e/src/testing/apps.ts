import { fileURLToPath } from 'node:url';

export const MAINS = {
  http: fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url)),
};

export type App = keyof typeof MAINS;

/** The flags of `npm start`. */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=1024',
];
