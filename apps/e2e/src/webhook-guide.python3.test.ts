import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { PYTHON } from './testing/python.ts';

const run = promisify(execFile);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({ type: 'incident.opened', data: { alert_name: 'Größe' } });
const MINUTE_MS = 60_000;

interface Delivery {
  readonly secret?: string;
  readonly body?: string;
  readonly ageMs?: number;
}

/** Verifies a delivery with the Python code of the guide. Resolves to its output. */
async function verify({ secret = SECRET, body = BODY, ageMs = 0 }: Delivery = {}): Promise<string> {
  const at = new Date(Date.now() - ageMs);
  const signature = new Webhook(secret).sign('msg_1', at, BODY);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,b3RoZXI= ${signature}`,
  };
  const call =
    'import sys\nprint(verify(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode())["type"])';
  const program = `${await guideCode('webhooks.md', 'python', 'hmac')}\n${call}`;
  const args = ['-c', program, SECRET, JSON.stringify(headers), body];
  return (await run(PYTHON, args)).stdout.trim();
}

test('the Python code of the guide accepts what the library signs', async () => {
  expect(await verify()).toBe('incident.opened');
});

test.for([
  ['signed with another secret', { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }],
  ['with another body', { body: BODY.replace('opened', 'closed') }],
  ['that is six minutes old', { ageMs: 6 * MINUTE_MS }],
] as const)('the Python code of the guide rejects a delivery %s', async ([, delivery]) => {
  await expect(verify(delivery)).rejects.toThrow('ValueError: The signature is invalid.');
});
