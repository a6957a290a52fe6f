import type { ReadyService } from './ready-service.ts';

/** The text that `npm start` prints when the service is ready. */
export function banner({ httpUrl, workerUrl, apiKey }: ReadyService): string {
  const key =
    apiKey === undefined
      ? "npm run --silent cli -- key create --label me --scope '*'"
      : `${apiKey.key}  (kept in ${apiKey.file})`;
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
    'Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}
