import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import https from 'node:https';
import tls from 'node:tls';
import type { AddressRules, WebhookMessage } from '@plugin-config/domain';
import { until } from '@plugin-config/server/testing';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { certificateAuthority } from '../testing/certificates.ts';
import { webhookReceiver, type Responder } from '../testing/webhook-receiver.ts';
import { httpWebhookSender } from './http-webhook-sender.ts';

const ANYTHING: AddressRules = { allowHttp: true, parseUrl: URL.parse, isForbidden: () => false };
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
/** Long enough for a busy machine, where the sender does not have to wait for it. */
const PATIENT_MS = 60_000;

const aMessage = (): WebhookMessage => ({
  id: 'msg_01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4b',
  timestamp: new Date(),
  payload: '{"type":"record.created","data":{"label":"é🚀"}}',
});

const send = (url: string, { timeoutMs = PATIENT_MS, rules = ANYTHING } = {}) =>
  httpWebhookSender({ rules, timeoutMs }).send({ url, secrets: [SECRET] }, aMessage());

async function sendTo(respond: Responder, options?: Parameters<typeof send>[1]) {
  await using receiver = await webhookReceiver(respond);
  return { outcome: await send(receiver.url, options), receiver };
}

/** Responds to a connection with bytes, regardless of the request. */
async function rawReceiver(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => onRequest(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a delivery is a POST that the verifier of Standard Webhooks accepts, with the current and the old secret', async () => {
  await using receiver = await webhookReceiver();
  const message = aMessage();
  const sender = httpWebhookSender({ rules: ANYTHING });
  const target = { url: `${receiver.url}path?token=%20a`, secrets: [SECRET, OLD_SECRET] };
  const accepted = { status: 204, error: null, response: null, retryAfterMs: null, hasTimedOut: false };
  expect(await sender.send(target, message)).toEqual(accepted);
  const [delivery] = receiver.received;
  expect(delivery).toMatchObject({ method: 'POST', url: '/path?token=%20a', body: message.payload });
  const headers = delivery?.headers as Record<string, string>;
  expect(headers).toMatchObject({
    host: `127.0.0.1:${receiver.port}`,
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^plugin-config-service\/\d/) as string,
    'webhook-id': message.id,
  });
  const body = delivery?.body ?? '';
  for (const secret of target.secrets)
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(message.payload));
  const foreign = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  expect(() => new Webhook(foreign).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow('No matching signature');
});

test('each attempt has its own connection, which is closed', async () => {
  await using receiver = await webhookReceiver((response) => response.end('ok'));
  const sender = httpWebhookSender({ rules: ANYTHING });
  for (let n = 0; n < 3; n++) await sender.send({ url: receiver.url, secrets: [SECRET] }, aMessage());
  expect(receiver.connections()).toBe(3);
  await until(() => receiver.open.size === 0);
});

test.each([200, 201, 204, 299])('status %s is accepted', async (status) => {
  const { outcome } = await sendTo((response) => response.writeHead(status).end());
  expect(outcome).toMatchObject({ status, error: null });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with status %s is a failure, and not followed',
  async (status) => {
    await using elsewhere = await webhookReceiver();
    const { outcome } = await sendTo((response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(outcome).toMatchObject({
      status,
      error: `The receiver responded with ${status}. Redirects are not followed.`,
    });
    expect(elsewhere.connections()).toBe(0);
  },
);

test.each([400, 404, 410, 500])('status %s is a failure', async (status) => {
  const { outcome } = await sendTo((response) =>
    response.writeHead(status, { 'retry-after': '60' }).end('no'),
  );
  const error = `The receiver responded with ${status}.`;
  expect(outcome).toMatchObject({ status, error, response: 'no', retryAfterMs: null });
});

test.each([429, 503])('with status %s, the receiver can ask for a pause', async (status) => {
  const pauseOf = async (retryAfter: string) => {
    const { outcome } = await sendTo((response) =>
      response.writeHead(status, { 'retry-after': retryAfter }).end(),
    );
    return outcome.retryAfterMs;
  };
  expect(await pauseOf('120')).toBe(120_000);
  expect(await pauseOf('-1')).toBeNull();
  expect(await pauseOf('soon')).toBeNull();
  expect(await pauseOf(new Date(0).toUTCString())).toBe(0);
  const inAnHour = await pauseOf(new Date(Date.now() + 3_600_000).toUTCString());
  expect(inAnHour).toBeGreaterThan(3_500_000);
  expect(inAnHour).toBeLessThanOrEqual(3_600_000);
});

test('the start of a response is kept, as text that can be stored', async () => {
  const responseTo = async (body: string | Buffer) => {
    const { outcome } = await sendTo((response) => response.writeHead(500).end(body));
    return outcome.response;
  };
  expect(await responseTo('')).toBeNull();
  expect(await responseTo('a\0b')).toBe('a\uFFFDb');
  expect(await responseTo(Buffer.from([0xff, 0x61]))).toBe('\uFFFDa');
  expect(await responseTo('x'.repeat(1_000_000))).toBe('x'.repeat(1024));
  const cut = await responseTo('é'.repeat(1000));
  expect(Buffer.byteLength(cut ?? '')).toBe(1024);
});

test('a receiver that does not respond in time is a failure, whether it accepts the connection or not', async () => {
  const slow = { timeoutMs: 300 };
  const error = 'The receiver did not respond within 0.3 seconds.';
  const { outcome } = await sendTo(() => undefined, slow);
  expect(outcome).toMatchObject({ status: null, error, response: null, retryAfterMs: null });
  const silent = await rawReceiver(() => undefined);
  expect(await send(silent, slow)).toMatchObject({ error });
  const resolve = () => new Promise<never>(() => undefined);
  const sender = httpWebhookSender({ rules: ANYTHING, resolve, ...slow });
  expect(await sender.send({ url: 'http://hooks.example/', secrets: [SECRET] }, aMessage())).toMatchObject({
    error,
  });
});

test('the status decides, even if the response never ends', async () => {
  const drip: Responder = (response) => {
    response.writeHead(200).write('a');
    const timer = setInterval(() => response.write('b'), 20);
    response.on('close', () => clearInterval(timer));
  };
  const { outcome } = await sendTo(drip, { timeoutMs: 300 });
  expect(outcome).toMatchObject({ status: 200, error: null });
  const flood: Responder = (response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  };
  await using receiver = await webhookReceiver(flood);
  expect(await send(receiver.url)).toMatchObject({ status: 200, response: 'x'.repeat(1024) });
  await until(() => receiver.open.size === 0);
});

const ENDED = 'The connection ended before the response.';

test.each([
  ['before the response', '', null, ENDED],
  ['within the head', 'HTTP/1.1 200 OK\r\nconte', null, ENDED],
  ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 200, null],
  [
    'within a chunk',
    'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
    500,
    'The receiver responded with 500.',
  ],
])('a receiver that hangs up %s', async (_, bytes, status, error) => {
  for (const end of ['end', 'destroy'] as const) {
    const url = await rawReceiver((socket) => socket.write(bytes, () => socket[end]()));
    expect(await send(url)).toMatchObject({ status, error });
  }
});

test.each([
  ['is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['has endless interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
  ['has endless headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`],
  [
    'switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ],
])('a response that %s is a failure', async (_, bytes) => {
  const outcome = await send(await rawReceiver((socket) => void socket.write(bytes)));
  expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(/^The connection/) as string });
});

test.each([
  ['000', null, 'The status of the response is invalid.'],
  ['099', null, 'The status of the response is invalid.'],
  ['600', 600, 'The receiver responded with 600.'],
  ['999', 999, 'The receiver responded with 999.'],
])('the odd status %s is a failure', async (sent, status, error) => {
  const response = `HTTP/1.1 ${sent} Odd\r\ncontent-length: 0\r\n\r\n`;
  const outcome = await send(await rawReceiver((socket) => void socket.write(response)));
  expect(outcome).toMatchObject({ status, error, response: null, retryAfterMs: null });
});

test('a connection that is refused is a failure', async () => {
  const receiver = await webhookReceiver();
  await receiver[Symbol.asyncDispose]();
  expect(await send(receiver.url)).toMatchObject({ error: 'The receiver refused the connection.' });
});

test.each([
  [
    'cannot be resolved',
    async () => Promise.reject(Object.assign(new Error('secret'), { code: 'ENOTFOUND' })),
  ],
  ['has no address', async () => []],
])('a name that %s is a failure', async (problem, resolve) => {
  const sender = httpWebhookSender({ rules: ANYTHING, resolve });
  const outcome = await sender.send({ url: 'http://hooks.example/?token', secrets: [SECRET] }, aMessage());
  expect(outcome).toMatchObject({ status: null, error: `The name of the receiver ${problem}.` });
});

test('the certificate of a receiver has to be valid', async () => {
  const authority = await certificateAuthority('Test');
  const { certificate: cert, key } = await authority.sign();
  const server = https
    .createServer({ cert, key }, (_, response) => response.end('ok'))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const untrusted = await send(url);
  expect(untrusted).toMatchObject({
    status: null,
    error: 'The connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE.',
  });
  const trusted = tls.getCACertificates();
  onTestFinished(() => tls.setDefaultCACertificates(trusted));
  tls.setDefaultCACertificates([...trusted, authority.certificate]);
  expect(await send(url)).toMatchObject({ status: 200, response: 'ok' });
});

test('a webhook from when HTTP was allowed is not sent in plain text afterwards', async () => {
  await using receiver = await webhookReceiver();
  const outcome = await send(receiver.url, { rules: { ...ANYTHING, allowHttp: false } });
  expect(outcome.error).toContain('WEBHOOK_ALLOW_HTTP=true');
  expect(receiver.connections()).toBe(0);
});
