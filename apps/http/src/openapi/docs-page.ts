export interface DocsAddresses {
  readonly schema: string;
  readonly style: string;
  readonly bundle: string;
  readonly start: string;
  readonly icon: string;
}

/** Allows scripts and styles only from the same origin, and none inline. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function docsPage({ schema, style, bundle, start, icon }: DocsAddresses): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Plugin configuration API</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${style}">
  </head>
  <body>
    <div id="api"></div>
    <noscript>This page needs JavaScript. The OpenAPI document is at <a href="${schema}">${schema}</a>.</noscript>
    <script src="${bundle}"></script>
    <script src="${start}"></script>
  </body>
</html>
`;
}

/**
 * Starts Swagger UI. Keys stay in the memory of the page, and no external validator is called.
 *
 * @param more settings of Swagger UI
 */
export function docsStart(schema: string, more: Readonly<Record<string, unknown>> = {}): string {
  const settings = {
    url: schema,
    dom_id: '#api',
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
    ...more,
  };
  return `SwaggerUIBundle(${JSON.stringify(settings)});\n`;
}
