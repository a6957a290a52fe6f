import { PORT_CONTRACTS } from '@plugin-config/testing';
import { describe } from 'vitest';
import { testWithPorts } from './testing/test-with-ports.ts';

const test = testWithPorts();

for (const [name, contract] of Object.entries(PORT_CONTRACTS)) {
  describe(`${name} on PostgreSQL`, () => {
    contract(test);
  });
}
