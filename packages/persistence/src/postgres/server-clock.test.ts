import { DAY_MS } from '@plugin-config/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { serverClock } from './server-clock.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const UNKNOWN = expect.objectContaining({ name: 'DomainError', code: 'unavailable' });

afterEach(() => vi.restoreAllMocks());

test('the clock has the time of the database even if the host has another time', () =>
  withEmptied(async (database) => {
    const real = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => real + 40 * DAY_MS);
    const clock = serverClock(database);
    expect(() => clock.now()).toThrow(UNKNOWN);
    await clock.set();
    expect(Math.abs(clock.now().getTime() - real)).toBeLessThan(30_000);
  }));

test('the time is unknown after the clocks of the host diverge, until the clock has synchronised again', () =>
  withEmptied(async (database) => {
    const clock = serverClock(database);
    await clock.set();
    const real = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => real + DAY_MS);
    expect(() => clock.now()).toThrow(UNKNOWN);
    const time = await vi.waitFor(() => clock.now(), 90_000);
    expect(Math.abs(time.getTime() - real)).toBeLessThan(30_000);
  }));
