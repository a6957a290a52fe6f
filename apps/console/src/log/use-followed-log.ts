import type { LogFilter } from '@plugin-config/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RecordRef } from '../shell/addresses.ts';
import { whileVisible } from '../live/while-visible.ts';
import { service } from '../shell/service.ts';
import { useNotify } from '../ui/notices.tsx';
import { followLog } from './follow-log.ts';
import type { ReadPage } from './log-pages.ts';

const RESET =
  'The log could not resume where it stopped, so it was reloaded. It includes everything sent in the meantime.';

/** Reads pages of the log of a plugin config. */
export function logReader({ projectId, id }: RecordRef, signal: AbortSignal): ReadPage {
  const configs = service.project(projectId).pluginConfigs;
  return async (query) => configs.logs(id, query, { signal }).page();
}

/** Follows a log while the screen is shown. To show another log, change the key of the component. */
export function useFollowedLog(at: RecordRef, filter: LogFilter, around: string | null) {
  const notify = useNotify();
  const [log] = useState(() =>
    followLog({
      read: (signal) => logReader(at, signal),
      stream: (options) => service.project(at.projectId).pluginConfigs.streamLogs(at.id, filter, options),
      filter,
      around,
      onFrame: (callback) => void requestAnimationFrame(callback),
      onReset: () => notify(RESET),
    }),
  );
  useEffect(() => (around === null ? whileVisible(log.open) : log.open()), [log, around]);
  return { log, view: useSyncExternalStore(log.subscribe, log.view) };
}
