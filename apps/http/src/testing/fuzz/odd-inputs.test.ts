import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { sampled } from '../../../../../tools/property-runs.ts';
import { DESCRIBED, type DescribedOperation } from './described-operations.ts';
import { oddities, type Oddity } from './odd-request.ts';
import { oddSender, test } from './odd-sender.ts';

// Sends every documented input of every endpoint with odd values.

/** The number of odd values per operation in the first tier. */
const SAMPLE_SIZE = 8;
/** Each endpoint once, since families only differ by name. */
const ONE_EACH = DESCRIBED.filter(
  ({ endpoint }, n) => DESCRIBED.findIndex((one) => one.endpoint === endpoint) === n,
);

/** Checks whether the error names the odd input or an object that contains it. Whole bodies and paths have no name. */
function isNamed({ fields }: DescribedOperation, odd: Oddity, { attr, code }: WireErrorBody): boolean {
  // Examples may refer to missing resources, and positions in a document omit its field.
  if (code === 'does_not_exist' && /^(?:records\[|keys\[|version$)/.test(attr ?? '')) return true;
  if (odd.in === 'field' && odd.name.startsWith('document'))
    return odd.name === 'document' || attr?.startsWith(odd.name.slice('document.'.length)) === true;
  if (odd.in === 'path' || odd.in === 'body') return true;
  // The entries of a configuration are named as in `PUT …/config`.
  if (odd.in === 'field' && ['config', 'set'].includes(odd.name) && isEntry(odd.value, attr)) return true;
  if (odd.in === 'field' && fields?.length === 0) return attr === odd.name || attr === 'config';
  const [whole] = odd.name.split('.');
  return attr === odd.name || attr === whole || attr?.startsWith(`${odd.name}.`) === true;
}

function isEntry(text: unknown, attr: string | null | undefined): boolean {
  return attr != null && String(text).includes(`"${attr}"`);
}

test.for(ONE_EACH)(
  '$title: survives odd values, and its errors name the input',
  async (operation, { target }) => {
    const send = await oddSender(target, operation);
    for (const odd of sampled(oddities(operation), SAMPLE_SIZE)) {
      const rejection = await send([odd]);
      if (rejection?.type === 'validation_error')
        expect([odd, rejection]).toSatisfy(() => isNamed(operation, odd, rejection));
    }
  },
);
