import { describe, test } from 'vitest';
import { logExportContract } from '../contracts/log-export.contract.ts';
import { LOG_CONTRACTS } from '../log-contracts.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { memoryLogPorts } from './memory-log-ports.ts';

const memoryTest: TestWith<LogPorts> = (name, run) => test(name, () => run(memoryLogPorts()));

for (const [name, contract] of Object.entries(LOG_CONTRACTS)) {
  describe(`${name} in memory`, () => {
    contract(memoryTest);
  });
}

describe('exporting logs in memory', () => {
  logExportContract((name, run) => test(name, () => run(memoryLogPorts())));
});
