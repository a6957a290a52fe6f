import { expect, test } from 'vitest';
import { signInMethodsIn, startOfSignIn } from './sign-in-methods.ts';

test.for([
  ['key', { hasKeys: true, provider: null }],
  ['key oidc:id.example.com:8443', { hasKeys: true, provider: 'id.example.com:8443' }],
  ['oidc:id.example.com', { hasKeys: false, provider: 'id.example.com' }],
  ['', { hasKeys: true, provider: null }],
] as const)('the methods %j', ([content, methods]) => {
  expect(signInMethodsIn(content)).toEqual(methods);
});

test('a sign-in continues at the page where it began', () => {
  const page = { pathname: '/base/console/projects/1', search: '?a=b&c=d', hash: '#e' } as Location;
  const start = startOfSignIn('https://plugins.example.com/base/', page);
  expect(start).toBe(
    'https://plugins.example.com/base/api/session/oidc/start?page=%2Fbase%2Fconsole%2Fprojects%2F1%3Fa%3Db%26c%3Dd%23e',
  );
});
