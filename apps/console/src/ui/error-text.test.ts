import { PluginConfigError } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

test('the text of an error names each field, but not the request', () => {
  const first = { code: 'required', attr: 'host', detail: 'This field is required.' } as const;
  const other = { ...first, attr: 'path' };
  expect(errorText(new PluginConfigError('PATCH', first))).toBe('host: This field is required.');
  expect(errorText(new PluginConfigError('PATCH', { ...first, errors: [first, other] }))).toBe(
    'host: This field is required. path: This field is required.',
  );
  const unreachable = { code: 'unreachable', detail: 'No response.' } as const;
  expect(errorText(new PluginConfigError('PATCH', unreachable))).toBe('No response.');
  expect(errorText(new Error('Failed.'))).toBe('Failed.');
});

test('an ended session is no error of a header, and a key that cannot sign in is one of its field', () => {
  const detail = 'Personal API key found in request Authorization header is invalid.';
  const ended = { code: 'authentication_failed', detail } as const;
  expect(errorText(new PluginConfigError('GET', ended))).toBe('Your session has ended. Sign in again.');
  expect(errorText(new PluginConfigError('POST', { ...ended, attr: 'key' }))).toBe(`key: ${detail}`);
});
