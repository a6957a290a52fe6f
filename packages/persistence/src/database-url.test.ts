import { expect, test } from 'vitest';
import { isDatabaseUrl } from './database-url.ts';

test.for([
  'postgres://me:p%40ss@db:5432/plugins',
  'postgres://me:with,comma@db/plugins',
  'postgresql://[::1]/plugins?sslmode=require',
  'postgres:///plugins?host=/run/postgresql',
  'postgres://db/plugins?target_session_attrs=read-write',
])('%s is a valid database URL', (url) => {
  expect(isDatabaseUrl(url)).toBe(true);
});

test.for([
  ['no address', 'db'],
  ['another protocol', 'mysql://db/plugins'],
  ['a port that is not a number', 'postgres://db:port/plugins'],
  ['several hosts', 'postgres://one,two/plugins'],
  ['several hosts with ports', 'postgres://me:secret@one:5432,two:5432/plugins'],
  ['several hosts in a parameter', 'postgres:///plugins?host=one,two'],
])('a database URL with %s is invalid', ([, url]) => {
  expect(isDatabaseUrl(url ?? '')).toBe(false);
});
