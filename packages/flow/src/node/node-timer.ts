import type { Timer } from '../timer.ts';

export const nodeTimer: Timer = (work, afterMs) => {
  const timer = setTimeout(work, afterMs);
  return () => clearTimeout(timer);
};
