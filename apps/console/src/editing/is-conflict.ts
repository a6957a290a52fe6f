import { PluginConfigError } from '@plugin-config/client';

/** Whether a write was rejected because someone else had changed what it is based on. */
export function isConflict(error: Error | null): boolean {
  return error instanceof PluginConfigError && error.code === 'precondition_failed';
}
