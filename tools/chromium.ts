import { programPath } from './programs.ts';

/** The options with which tests start Chromium: no sandbox, so that root can start it, and no traffic of its own. */
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
