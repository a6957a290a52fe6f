import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { sampled } from '../../../../../tools/property-runs.ts';
import { DESCRIBED, type DescribedOperation } from './described-operations.ts';
import { oddities, type Oddity } from './odd-request.ts';
import { oddSender, test } from './odd-sender.ts';

// Every input of every endpoint with odd values, from the definitions that are mounted and documented.

/** How many odd values of an operation the first tier tries. */
const FEW = 15;
/** Each endpoint once: its families differ in name only. */
const ONE_EACH = DESCRIBED.filter(
  ({ endpoint }, n) => DESCRIBED.findIndex((one) => one.endpoint === endpoint) === n,
);

/** Whether the error names the odd input, or the object that it is in. What is odd as a whole has no name. */
function isNamed({ fields }: DescribedOperation, odd: Oddity, { attr, code }: WireErrorBody): boolean {
  // An example may name what is not there, and the place of an error in a document is told without the document.
  if (code === 'does_not_exist' && /^(?:records|keys)\[/.test(attr ?? '')) return true;
  if (odd.in === 'field' && odd.name.startsWith('document'))
    return odd.name === 'document' || attr?.startsWith(odd.name.slice('document.'.length)) === true;
  if (odd.in === 'path' || odd.in === 'body') return true;
  if (odd.in === 'field' && fields?.length === 0) return attr === odd.name || attr === 'config';
  const [whole] = odd.name.split('.');
  return attr === odd.name || attr === whole || attr?.startsWith(`${odd.name}.`) === true;
}

test.for(ONE_EACH)(
  '$title: no odd value breaks it, and a rejection names the input',
  async (operation, { target }) => {
    const send = await oddSender(target, operation);
    for (const odd of sampled(oddities(operation), FEW)) {
      const rejection = await send([odd]);
      if (rejection?.type === 'validation_error')
        expect([odd, rejection]).toSatisfy(() => isNamed(operation, odd, rejection));
    }
  },
);
