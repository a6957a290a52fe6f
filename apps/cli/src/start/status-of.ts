import { get } from 'node:http';

/** The status that the address answers with; undefined where it does not answer in time, or `ended` comes first. */
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
