/** @module-tag long */

import fc from 'fast-check';
import { propertyRuns, propertyTimeout } from '../../../../../tools/property-runs.ts';
import { DESCRIBED } from './described-operations.ts';
import { oddities } from './odd-request.ts';
import { oddSender, test } from './odd-sender.ts';

// Sends every operation with odd values in several inputs at once.

const RUNS = 2;
const TEST_TIMEOUT_MS = 180_000;

test.for(DESCRIBED)(
  '$title: survives combined odd values',
  { timeout: propertyTimeout(TEST_TIMEOUT_MS) },
  async (operation, { target }) => {
    const send = await oddSender(target, operation);
    const several = fc.array(fc.constantFrom(...oddities(operation)), { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(several, async (odd) => void (await send(odd)));
    await fc.assert(property, { numRuns: propertyRuns(RUNS) });
  },
);
