import type { Settlement } from '@plugin-config/domain';

export function aSettlement(given: Partial<Settlement> = {}): Settlement {
  return {
    state: 'succeeded',
    attempts: 1,
    error: null,
    dueInMs: null,
    write: null,
    activity: [],
    ...given,
  };
}
