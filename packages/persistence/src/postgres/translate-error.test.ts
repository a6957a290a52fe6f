import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { translateError } from './translate-error.ts';

function driverError(code: string | undefined, message = 'reported by the driver'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

test.each([
  ['a refused connection', driverError('ECONNREFUSED')],
  ['an outdated password', driverError('28P01')],
  ['a full disk', driverError('53100')],
  ['a start', driverError('57P03')],
  ['a read-only standby', driverError('25006')],
  ['a connection that broke', driverError(undefined, 'Connection terminated unexpectedly')],
  ['an unknown error', driverError('EUNHEARDOF')],
])('%s makes the database unavailable', (_, error) => {
  expect(translateError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2, cause: error });
});

test.each([
  ['a statement that took too long', driverError('57014')],
  ['a wait for a free connection', driverError(undefined, 'timeout exceeded when trying to connect')],
])('%s is reported as running out of time', (_, error) => {
  expect(translateError(error)).toMatchObject({
    code: 'unavailable',
    message: 'The service is too busy to do this in time.',
    retryAfterSeconds: 2,
    cause: error,
  });
});

test.each([
  ['a deadlock', driverError('40P01')],
  ['a failed serialisation', driverError('40001')],
  ['a lock timeout', driverError('55P03')],
])('%s is reported as busy', (_, error) => {
  expect(translateError(error)).toMatchObject({ code: 'busy', retryAfterSeconds: 2, cause: error });
});

test.each([
  ['a broken constraint', driverError('23514')],
  ['a mistake in a statement', driverError('42601')],
  ['a value that is too long', driverError('22001')],
  ['a value that exceeds a limit of the server', driverError('54000')],
  ['a bug in the code', new TypeError('undefined is not a function')],
  ['an error of the domain', new DomainError('not_found', 'Not found.')],
  ['a thrown text', 'thrown'],
])('%s is not translated', (_, error) => {
  expect(translateError(error)).toBe(error);
});
