import type { SavedApiKey } from './saved-keys.ts';

/** The addresses of the running apps, and the key of the first start, if there is one. */
export interface ReadyService {
  readonly httpUrl: string;
  readonly workerUrl: string;
  readonly apiKey: SavedApiKey | undefined;
}
