import { checkWebhook } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { readSettings } from '../env/settings.ts';
import { WEBHOOK_SETTINGS } from '../env/webhook-settings.ts';
import { addressRulesIn } from './address-rules.ts';

const rulesOf = (variables: Readonly<Record<string, string>>) =>
  addressRulesIn(readSettings(WEBHOOK_SETTINGS, variables));

const DEFAULT = rulesOf({});

/** Each range by its first and last address, and in its special notation if it has one. */
const FORBIDDEN = [
  ['unspecified', '0.0.0.0', '0.255.255.255', '::'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  ['link-local, with the metadata of clouds', '169.254.0.0', '169.254.169.254', 'fe80::1', 'febf::1'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '2001::', '2001:1ff:ffff::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
  ['unique local', 'fc00::1', 'fd12:3456::1', 'fdff::1'],
  ['site-local', 'fec0::1'],
  ['mapped IPv4', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1'],
  ['compatible IPv4', '::127.0.0.1', '::7f00:1'],
  ['translated IPv4 (NAT64)', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  ['IPv4 in 6to4', '2002:7f00:1::', '2002:a00:1::1', '192.88.99.1'],
  ['IPv4 in Teredo', '2001:0:7f00:1::', '2001::1'],
  ['discarded', '100::1'],
  ['segment routing', '5f00::1'],
  ['with a zone', 'fe80::1%eth0', '2606:4700::1%eth0', '::1%lo'],
  ['no address', '', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5', '::ffff:127.0.0.1/96'],
] as const;

test.for(FORBIDDEN)('%s addresses are forbidden', ([, ...addresses]) => {
  expect(addresses.filter((address) => !DEFAULT.isForbidden(address))).toEqual([]);
});

test('public addresses are allowed, even right next to forbidden ranges', () => {
  const addresses = [
    ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
    ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'],
    ['192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
    ['2606:4700:4700::1111', '2001:200::1', '2001:4860:4860::8888', '2003::1', '3ffe::1', '3fff:1000::1'],
  ].flat();
  expect(addresses.filter((address) => DEFAULT.isForbidden(address))).toEqual([]);
});

test('WEBHOOK_ALLOW_ADDRESSES opens ranges, and nothing else', () => {
  const { isForbidden } = rulesOf({
    WEBHOOK_ALLOW_ADDRESSES: '10.1.0.0/16, 127.0.0.1,fd00::/8,64:ff9b::/96',
  });
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd12::1', '64:ff9b::a00:1', '1.1.1.1'])
    expect([address, isForbidden(address)]).toEqual([address, false]);
  for (const address of ['10.2.0.1', '127.0.0.2', 'fe80::1', '::1', 'fd12::1%eth0'])
    expect([address, isForbidden(address)]).toEqual([address, true]);
});

test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0', 'localhost', '10.0.0.0/8/8', '10.0.0.0/x', 'fe80::1%eth0'])(
  'the range %j is rejected at startup',
  (range) => {
    expect(() => rulesOf({ WEBHOOK_ALLOW_ADDRESSES: range })).toThrow('WEBHOOK_ALLOW_ADDRESSES');
  },
);

const checkUrl = (url: string, rules = DEFAULT) =>
  checkWebhook({ url, events: ['record.created'], plugin: null, enabled: true }, rules);

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://10.0.0.1:8443/path?query',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:ffff:10.0.0.1]:443/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://%31%32%37.0.0.1/',
])('a webhook cannot have the URL %s, whatever the notation', (url) => {
  const forbidden = {
    code: 'invalid_input',
    attr: 'url',
    message: expect.stringContaining('private') as string,
  };
  expect(() => checkUrl(url)).toThrow(expect.objectContaining(forbidden));
});

test.each([
  'https://hooks.example/',
  'https://1.1.1.1/',
  'https://[2606:4700::1111]:8443/x?y',
  'https://016.0.0.1/',
])('a webhook can have the URL %s', (url) => {
  expect(() => checkUrl(url)).not.toThrow();
});

test('HTTP is allowed only with WEBHOOK_ALLOW_HTTP', () => {
  expect(() => checkUrl('http://hooks.example/')).toThrow(
    'must start with https:// (http:// needs WEBHOOK_ALLOW_HTTP=true at the service).',
  );
  const rules = rulesOf({ WEBHOOK_ALLOW_HTTP: 'true' });
  expect(() => checkUrl('http://hooks.example/', rules)).not.toThrow();
  expect(() => checkUrl('ftp://hooks.example/', rules)).toThrow('https:// or http://');
});
