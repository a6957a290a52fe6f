import { describe, test } from 'vitest';
import { wakeUpsContract } from '../contracts/wake-ups.contract.ts';
import { memoryWakeUps } from './memory-wake-ups.ts';

describe('wake-ups in memory', () => {
  wakeUpsContract((name, run) => test(name, () => run(memoryWakeUps())));
});
