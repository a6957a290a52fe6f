import { checkWebhook, WEBHOOK_URL_MAX, type WebhookSettings } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { addressRulesIn } from './address-rules.ts';

const RULES = addressRulesIn({ WEBHOOK_ALLOW_HTTP: false, WEBHOOK_ALLOW_ADDRESSES: [] });

const check = (given: Partial<WebhookSettings>) =>
  checkWebhook(
    { url: 'https://hooks.example/', events: ['record.created'], plugin: null, enabled: true, ...given },
    RULES,
  );

test.each([
  'https://hooks.example',
  'https://hooks.example:8443/path?token=1&again=%20',
  'HTTPS://HOOKS.EXAMPLE/',
  'https://xn--bcher-kva.example/',
  'https://a.example/é'.replace('é', '%C3%A9'),
  `https://a.example/${'x'.repeat(WEBHOOK_URL_MAX - 'https://a.example/'.length)}`,
])('%s is a valid URL', (url) => {
  expect(() => check({ url })).not.toThrow();
});

test.each([
  ['', 'invalid_input'],
  ['hooks.example', 'invalid_input'],
  ['//hooks.example/', 'invalid_input'],
  ['http://hooks.example/', 'invalid_input'],
  ['file:///etc/passwd', 'invalid_input'],
  ['javascript:alert(1)', 'invalid_input'],
  ['https://', 'invalid_input'],
  ['https://user@hooks.example/', 'invalid_input'],
  ['https://:secret@hooks.example/', 'invalid_input'],
  ['https://hooks.example@127.0.0.1/', 'invalid_input'],
  ['https://hooks.example/#fragment', 'invalid_input'],
  ['https://hooks.example/#', 'invalid_input'],
  ['https://hooks.example/a b', 'invalid_input'],
  ['https://hooks.example/\n', 'invalid_input'],
  ['https://ho\toks.example/', 'invalid_input'],
  ['https://bücher.example/', 'invalid_input'],
  ['https://１２７.0.0.1/', 'invalid_input'],
  ['https://[fe80::1%25eth0]/', 'invalid_input'],
  ['https://hooks.example:99999/', 'invalid_input'],
  [`https://a.example/${'x'.repeat(WEBHOOK_URL_MAX)}`, 'max_length'],
])('%j is not', (url, code) => {
  expect(() => check({ url })).toThrow(expect.objectContaining({ code, attr: 'url' }));
});

test('a webhook subscribes to at least one event, and to each only once', () => {
  const rejected = expect.objectContaining({ code: 'invalid_input', attr: 'events' }) as Error;
  expect(() => check({ events: [] })).toThrow(rejected);
  expect(() => check({ events: ['record.created', 'record.created'] })).toThrow(rejected);
});
