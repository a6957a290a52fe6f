import { cursorAt, type FamilyRef, type ListedJob } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import type { Services } from '../services.ts';

interface Waiting<T> {
  readonly family: FamilyRef;
  /** The seconds to wait; null for none. */
  readonly wait: number | null;
  readonly read: () => Promise<T | null>;
}

/** Reads a job. If it has not ended, waits for its end, which increments the version of its family. */
export async function onceEnded<T extends Pick<ListedJob, 'finishedAt'>>(
  { feeds, waits }: Services,
  reply: FastifyReply,
  { family: { projectId, family }, wait, read }: Waiting<T>,
): Promise<T | null> {
  const first = await read();
  if (first?.finishedAt !== null || wait === null) return first;
  const { registryVersion, familyVersion } = accessOf(reply.request);
  const at = { registryVersion, familyVersion };
  return waits.during(reply, wait, async (signal) => {
    let last: T | null = first;
    const changes = feeds(reply.request).after({ projectId, family, ...at }, cursorAt(at), signal);
    for await (const _ of changes) {
      last = await read();
      if (last?.finishedAt !== null) break;
    }
    return last;
  });
}
