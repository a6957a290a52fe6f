import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { webhookReceiver } from '../testing/webhook-receiver.ts';
import { httpWebhookSender } from './http-webhook-sender.ts';
import { addressRulesIn, guardedLookup, type ResolveName } from '@plugin-config/server';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const FORBIDDEN =
  'The URL points to a private or reserved address that is not in WEBHOOK_ALLOW_ADDRESSES of the worker.';
const PUBLIC = '93.184.215.14';

function send(url: string, { allowed = [] as readonly string[], resolve }: Partial<Given> = {}) {
  const rules = addressRulesIn({ WEBHOOK_ALLOW_HTTP: true, WEBHOOK_ALLOW_ADDRESSES: [...allowed] });
  const sender = httpWebhookSender({ rules, timeoutMs: 2000, ...(resolve && { resolve }) });
  const message = { id: 'msg_1', timestamp: new Date(), payload: '{}' };
  return sender.send({ url, secrets: [SECRET] }, message);
}

interface Given {
  readonly allowed: readonly string[];
  readonly resolve: ResolveName;
}

test.each([
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST.',
])('nothing connects to this host as http://%s', async (host) => {
  await using receiver = await webhookReceiver();
  await using anyInterface = await webhookReceiver(undefined, '0.0.0.0');
  for (const { port } of [receiver, anyInterface]) {
    expect(await send(`http://${host}:${port}/`)).toMatchObject({ status: null, error: FORBIDDEN });
  }
  expect([receiver.connections(), anyInterface.connections()]).toEqual([0, 0]);
});

test.each([
  [['127.0.0.1']],
  [[PUBLIC, '127.0.0.1']],
  [['127.0.0.1', PUBLIC]],
  [['::1', PUBLIC]],
  [['::ffff:127.0.0.1']],
  [['64:ff9b::7f00:1']],
  [['10.0.0.1']],
  [['169.254.169.254']],
  [['fe80::1%lo']],
  [['not an address']],
])('nothing connects to a name with the addresses %j', async (addresses) => {
  await using receiver = await webhookReceiver();
  const resolve = async () => addresses;
  const outcome = await send(`http://hooks.example:${receiver.port}/`, { resolve });
  expect(outcome).toMatchObject({ status: null, error: FORBIDDEN });
  expect(receiver.connections()).toBe(0);
});

test('a connection goes to the address that was checked, even if the name resolves differently the next time', async () => {
  await using first = await webhookReceiver(undefined, '127.0.0.2');
  const answers = [['127.0.0.2'], ['127.0.0.1']];
  let asked = 0;
  const resolve = async () => answers[Math.min(asked++, 1)] ?? [];
  const url = `http://hooks.example:${first.port}/`;
  const allowed = ['127.0.0.2'];
  expect(await send(url, { allowed, resolve })).toMatchObject({ status: 204 });
  expect([asked, first.received.length, first.received[0]?.headers.host]).toEqual([
    1,
    1,
    `hooks.example:${first.port}`,
  ]);
  expect(await send(url, { allowed, resolve })).toMatchObject({ error: FORBIDDEN });
  expect(first.connections()).toBe(1);
});

test('only the first addresses of a name are checked and tried', async () => {
  const addresses = Array.from({ length: 10_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`);
  const checked: string[] = [];
  const isForbidden = (address: string): boolean => checked.push(address) === 0;
  const lookup = promisify(guardedLookup(async () => addresses, { isForbidden }));
  const found = (await lookup('hooks.example', { all: true })) as unknown as readonly object[];
  expect([checked.length, found.length]).toEqual([32, 32]);
});

test('an allowed address is reached, and its neighbour is not', async () => {
  await using receiver = await webhookReceiver();
  await using neighbour = await webhookReceiver(undefined, '127.0.0.2');
  const allowed = ['127.0.0.1/32'];
  expect(await send(receiver.url, { allowed })).toMatchObject({ status: 204 });
  expect(await send(neighbour.url, { allowed })).toMatchObject({ error: FORBIDDEN });
  expect(neighbour.connections()).toBe(0);
});
