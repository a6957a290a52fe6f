import type { SavedApiKey } from './saved-keys.ts';

/** The addresses of the running apps, and the key of the first start if there is one. */
export interface ReadyService {
  readonly httpUrl: string;
  readonly workerUrl: string;
  readonly apiKey: SavedApiKey | undefined;
}

/** The text that `npm start` prints when the service is ready. */
export function banner({ httpUrl, workerUrl, apiKey }: ReadyService): string {
  const key =
    apiKey === undefined
      ? "npm run --silent cli -- key create --label me --scope '*'"
      : `${apiKey.key}  (stored in ${apiKey.file})`;
  return [
    '',
    'The plugin configuration service is ready.',
    '',
    `  Console  ${httpUrl}/console`,
    `  API      ${httpUrl}/api/projects/`,
    `  Docs     ${httpUrl}/docs`,
    `  Worker   ${workerUrl}/ingest`,
    `  API key  ${key}`,
    '',
    'Press Ctrl-C to stop it.',
    '',
    '',
  ].join('\n');
}
