import { wakeUpListeners } from '@plugin-config/flow';
import type { WakeUpPorts } from '../contracts/wake-ups.contract.ts';

export function memoryWakeUps(): WakeUpPorts {
  const listeners = wakeUpListeners();
  return {
    wakeUps: { isLive: true, listen: listeners.listen },
    notify: async (recordIds) => listeners.wake(recordIds),
  };
}
