import { hash } from 'node:crypto';
import type { Problem, TypedBody } from '@plugin-config/server';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;overflow-wrap:break-word}' +
  ':root{color-scheme:light dark}a{color:inherit}';

/** Allows nothing but its own style. */
export const SIGN_IN_PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/** Returns the page that says why a sign-in failed. */
export function signInPage(
  { detail }: Problem,
  { console, requestId }: { console: string; requestId: string },
): TypedBody {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign-in failed</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>You are not signed in</h1>
      <p>${escaped(detail)}</p>
      <p><a href="${escaped(console)}">Back to the console</a></p>
      <p><small>Request ${escaped(requestId)}</small></p>
    </main>
  </body>
</html>
`;
  return { type: 'text/html; charset=utf-8', bytes: Buffer.from(html) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
