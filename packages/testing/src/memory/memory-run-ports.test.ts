import { describe, test } from 'vitest';
import { RUN_CONTRACTS } from '../run-contracts.ts';
import type { RunPorts } from '../run-ports.ts';
import type { TestWith } from '../test-with.ts';
import { memoryRunPorts } from './memory-run-ports.ts';

const memoryTest: TestWith<RunPorts> = (name, run) => test(name, () => run(memoryRunPorts()));

for (const [name, contract] of Object.entries(RUN_CONTRACTS)) {
  describe(`${name} in memory`, () => {
    contract(memoryTest);
  });
}
