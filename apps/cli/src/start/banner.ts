export interface BannerFacts {
  readonly httpUrl: string;
  readonly workerUrl: string;
  /** The key of the first start and its file; undefined if there is none to show. */
  readonly apiKey: { readonly key: string; readonly file: string } | undefined;
}

/** The text that `npm start` prints when the service is ready. */
export function banner({ httpUrl, workerUrl, apiKey }: BannerFacts): string {
  const key =
    apiKey === undefined
      ? "npm run --silent cli -- key create --label me --scope '*'"
      : `${apiKey.key}  (kept in ${apiKey.file})`;
  return [
    '',
    'The plugin configuration service is ready.',
    '',
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
