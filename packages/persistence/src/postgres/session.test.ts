import { expect, test } from 'vitest';
import { sessionSettings } from './session.ts';

test('the lock timeout is half the statement timeout, but at most three seconds', () => {
  expect(sessionSettings(10_000)).toContain('set lock_timeout = 3000');
  expect(sessionSettings(1_000)).toContain('set lock_timeout = 500');
});

test('an idle transaction ends after five seconds', () => {
  expect(sessionSettings(10_000)).toContain('set idle_in_transaction_session_timeout = 5000');
});
