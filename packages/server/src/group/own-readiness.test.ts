import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { structuredLogger } from '../observability/logger.ts';
import { ownReadiness } from './own-readiness.ts';

const AWAY = new DomainError('unavailable', 'The database is away.', {
  cause: new Error('10.0.0.5 refused'),
});
const BUG = new Error('undefined is not a function');

test('anybody is told that a process cannot work, and the log has the causes, once for each time', async () => {
  const outcomes = [AWAY, AWAY, null, BUG, BUG, 'It is a standby.', AWAY];
  const lines: string[] = [];
  const logger = structuredLogger('test', 'info', { write: (line) => lines.push(line) });
  const readiness = ownReadiness(async () => {
    const outcome = outcomes.shift() ?? null;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }, logger);
  const told = [];
  while (outcomes.length > 0) told.push(await readiness());
  const unknown = 'The process cannot tell whether it works.';
  expect(told).toEqual([
    AWAY.message,
    AWAY.message,
    null,
    unknown,
    unknown,
    'It is a standby.',
    AWAY.message,
  ]);
  const logged = lines.map((line) => JSON.parse(line) as object);
  const away = { level: 'warn', reason: 'The database is away. 10.0.0.5 refused' };
  expect(logged).toMatchObject([away, { level: 'error', err: { message: BUG.message } }, away]);
});
