import type { ServerResponse } from 'node:http';
import type { StopSignal } from '@plugin-config/flow';

/** Returns a signal that aborts when the connection of the caller is closed. */
export function hangUpSignal(response: ServerResponse): StopSignal {
  return {
    get aborted() {
      return response.destroyed;
    },
    addEventListener: (_type, listener) => void response.on('close', listener),
    removeEventListener: (_type, listener) => void response.off('close', listener),
  };
}
