import { describe, test } from 'vitest';
import { PORT_CONTRACTS } from '../contracts/port-contracts.ts';
import { USE_CASE_CONTRACTS } from '../use-cases/use-case-contracts.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { memoryPorts } from './memory-ports.ts';

const memoryTest: TestWith<Ports> = (name, run) => test(name, () => run(memoryPorts()));

for (const [name, contract] of Object.entries({ ...PORT_CONTRACTS, ...USE_CASE_CONTRACTS })) {
  describe(`${name} in memory`, () => {
    contract(memoryTest);
  });
}
