import { setTimeout as sleep } from 'node:timers/promises';
import { metricOf, until, type ServedApp } from '@plugin-config/server/testing';
import { expect } from 'vitest';

const WITHIN_MS = 20_000;
const SEVERAL_ATTEMPTS_MS = 1500;

export async function readiness(url: string): Promise<string> {
  const response = await fetch(`${url}/readyz`);
  return `${response.status} ${((await response.json()) as { readonly detail?: string }).detail ?? ''}`;
}

const problemOf = (url: string): Promise<number> => metricOf(url, 'jetstream_problem');

const linesOf = (worker: ServedApp, reason: string): number =>
  worker
    .log()
    .split('\n')
    .filter((line) => line.includes(reason) && line.includes('not receiving messages from the stream'))
    .length;

/** Expects the readiness check, the metric and one log line to report a problem of the stream, until it is fixed. */
export async function expectProblem(
  worker: ServedApp,
  reason: string,
  fix: () => Promise<void>,
): Promise<void> {
  const { url } = worker;
  await until(async () => (await readiness(url)).includes(reason), WITHIN_MS);
  await sleep(SEVERAL_ATTEMPTS_MS);
  expect([(await readiness(url)).slice(0, 3), await problemOf(url), linesOf(worker, reason)]).toEqual([
    '503',
    1,
    1,
  ]);
  await fix();
  await until(async () => (await readiness(url)).startsWith('200'), WITHIN_MS);
  expect(await problemOf(url)).toBe(0);
}
