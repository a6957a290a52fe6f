export interface BannerFacts {
  readonly httpUrl: string;
  readonly workerUrl: string;
  /** The key of the first start and the file that holds it; undefined where there is none to show. */
  readonly apiKey: { readonly key: string; readonly file: string } | undefined;
}

/** What a newcomer needs in order to begin. */
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
