import { programPath } from './programs.ts';

/** Options for starting Chromium in tests: without a sandbox, which root cannot use, and without background traffic. */
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
