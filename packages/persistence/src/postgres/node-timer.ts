import type { Timer } from '@plugin-config/domain';

export const nodeTimer: Timer = (work, afterMs) => {
  const timer = setTimeout(work, afterMs);
  return () => clearTimeout(timer);
};
