import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { logFailure } from './log-failure.ts';
import { structuredLogger } from './logger.ts';

test.each([
  [new DomainError('unavailable', 'Unreachable.', { cause: new Error('connect ECONNREFUSED') }), 'warn'],
  [new DomainError('busy', 'Too many.'), 'warn'],
  [new DomainError('invalid_input', 'Wrong.'), 'error'],
  [new TypeError('a bug'), 'error'],
] as const)('%s is logged at %s', (error, level) => {
  const written: string[] = [];
  const logger = structuredLogger('test', 'info', { write: (line) => written.push(line) });
  logFailure(logger, { error, message: 'it failed', about: { loop: 'x' } });
  const [line] = written.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(line).toMatchObject({ level, msg: 'it failed', loop: 'x' });
  expect(Object.keys(line ?? {})).toContain(level === 'warn' ? 'reason' : 'err');
});
