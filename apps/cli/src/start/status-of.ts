import { get } from 'node:http';

/** Resolves to the status that the URL answers with; undefined if it does not answer in time or `ended` is aborted. */
export async function statusOf(
  url: string,
  withinMs: number,
  ended: AbortSignal,
): Promise<number | undefined> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(withinMs)]);
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  try {
    get(url, { agent: false, signal }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    return await promise;
  } catch {
    return undefined;
  }
}
