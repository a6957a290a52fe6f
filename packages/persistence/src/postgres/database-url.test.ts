import { expect, test } from 'vitest';
import { HOSTS_MAX, parseDatabaseUrl } from './database-url.ts';

const ONE = 'postgres://me:p%40ss@db:5432/plugins';

test('a URL with one host is taken as it is', () => {
  for (const url of [ONE, 'postgresql://[::1]/plugins', 'postgres:///plugins?host=/run/postgresql']) {
    expect(parseDatabaseUrl(url)).toMatchObject({ hosts: [{ url }], needsPrimary: false });
  }
});

test('several hosts share user, database and parameters, and need the primary', () => {
  expect(parseDatabaseUrl('postgres://me:p%40ss@one:5432,two,[::1]:5434/plugins?sslmode=require')).toEqual({
    hosts: [
      { name: 'one:5432', url: 'postgres://me:p%40ss@one:5432/plugins?sslmode=require' },
      { name: 'two', url: 'postgres://me:p%40ss@two/plugins?sslmode=require' },
      { name: '[::1]:5434', url: 'postgres://me:p%40ss@[::1]:5434/plugins?sslmode=require' },
    ],
    needsPrimary: true,
  });
});

test.for([
  ['any', false],
  ['read-write', true],
  ['primary', true],
] as const)('a single host with target_session_attrs=%s', ([wanted, needsPrimary]) => {
  expect(parseDatabaseUrl(`${ONE}?target_session_attrs=${wanted}`)).toMatchObject({ needsPrimary });
});

test.for<[string, string]>([
  ['no address', 'db'],
  ['another protocol', 'mysql://db/plugins'],
  ['a port that is none', 'postgres://db:port/plugins'],
  ['a host without a name among several', 'postgres://one,,two/plugins'],
  ['a wrong port among several', 'postgres://one:5432,two:99999/plugins'],
  ['a standby', `${ONE}?target_session_attrs=prefer-standby`],
  ['any of several hosts', 'postgres://one,two/plugins?target_session_attrs=any'],
])('%s is refused with what to write instead', ([, url]) => {
  expect(() => parseDatabaseUrl(url)).toThrow(/DATABASE_URL takes/);
});

test('the number of hosts is bounded', () => {
  const hosts = (count: number) =>
    `postgres://${Array.from({ length: count }, (_, i) => `h${i}`).join(',')}/db`;
  expect(parseDatabaseUrl(hosts(HOSTS_MAX)).hosts).toHaveLength(HOSTS_MAX);
  expect(() => parseDatabaseUrl(hosts(HOSTS_MAX + 1))).toThrow('at most');
});
