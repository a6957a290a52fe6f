import type { Job } from '@plugin-config/domain';
import { describe, test } from 'vitest';
import { PORT_CONTRACTS } from '../contracts/port-contracts.ts';
import { dryRunsContract } from '../contracts/dry-runs.contract.ts';
import { unfinishedJobsContract } from '../contracts/unfinished-jobs.contract.ts';
import { USE_CASE_CONTRACTS } from '../use-cases/use-case-contracts.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { dryMemoryDatabase, memoryDatabase } from './memory-database.ts';
import { memoryPorts } from './memory-ports.ts';
import { copyOf } from './memory-state.ts';

const memoryTest: TestWith<Ports> = (name, run) => test(name, () => run(memoryPorts()));

for (const [name, contract] of Object.entries({ ...PORT_CONTRACTS, ...USE_CASE_CONTRACTS })) {
  describe(`${name} in memory`, () => {
    contract(memoryTest);
  });
}

describe('dry runs in memory', () => {
  dryRunsContract((name, run) =>
    test(name, () => {
      const db = memoryDatabase();
      const dump = async () => copyOf(db.state);
      return run({ ports: memoryPorts(db), dry: memoryPorts(dryMemoryDatabase(db)), dump });
    }),
  );
});

describe('unfinished jobs in memory', () => {
  unfinishedJobsContract((name, run) =>
    test(name, () => {
      const db = memoryDatabase();
      const addCopies = (job: Job, count: number) =>
        db.change(({ jobs }) => {
          const copies = Array.from({ length: count }, (_, n) => ({ ...job, id: `copy ${n}` }));
          for (const copy of copies) jobs.set(copy.id, { job: copy, dueAt: db.now, claims: 0 });
        });
      return run({ ...memoryPorts(db), addCopies });
    }),
  );
});
