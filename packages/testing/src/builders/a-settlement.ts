import type { Settlement } from '@plugin-config/domain';
import { MOMENT } from './an-author.ts';

export function aSettlement(given: Partial<Settlement> = {}): Settlement {
  return {
    state: 'succeeded',
    error: null,
    dueAt: null,
    at: MOMENT,
    decision: null,
    activity: [],
    lines: [],
    ...given,
  };
}
