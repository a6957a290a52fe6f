import { programPath } from './programs.ts';

/** What the tests start Chromium with: no sandbox, so that root can, and no traffic of its own. */
export function chromiumOptions(): { readonly executablePath: string; readonly args: string[] } {
  return {
    executablePath: programPath('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
    ],
  };
}
