import { fileURLToPath } from 'node:url';

export const MAINS = {
  http: fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url)),
};

export type App = keyof typeof MAINS;
