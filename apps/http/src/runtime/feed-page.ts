import { once } from 'node:events';
import { Readable } from 'node:stream';
import { feedProject, presenter } from '@plugin-config/contract';
import { FEED_PAGE_BYTES, type ProjectConfiguration } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { JSON_UTF8, jsonInSlices, reserveIfLarge, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/** Smaller bodies are copied into one piece. */
const SHARED_BYTES = 64 * 1024;

/** The JSON of the projects of a page. */
export interface PageContent {
  readonly body: Buffer;
  readonly count: number;
  /** The last project, if there was no room for all; null if there was. */
  readonly last: number | null;
}

/** The content of a page without projects. */
export const NO_PROJECTS: PageContent = { body: Buffer.from('[]'), count: 0, last: null };

const presentProject = presenter(feedProject);

/** Serialises as many projects as fit, and at least one. */
export async function contentOfPage(
  projects: readonly ProjectConfiguration[],
  last: number | null,
): Promise<PageContent> {
  const pauseAfter = readingPauses();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  let end = last;
  for (const { records, version, ...project } of projects) {
    const body = await jsonInSlices(
      presentProject({
        ...project,
        version,
        results: records ?? undefined,
        error: version === null ? 'too_large' : undefined,
      }),
    );
    if (count > 0 && bytes + body.length > FEED_PAGE_BYTES) break;
    pieces.push(Buffer.from(count === 0 ? '[' : ','), body);
    bytes += body.length;
    count++;
    await pauseAfter(body.length);
  }
  if (count === 0) return { ...NO_PROJECTS, last };
  if (count < projects.length) end = projects[count - 1]?.projectId ?? last;
  return { body: Buffer.concat([...pieces, Buffer.from(']')]), count, last: end };
}

/** Sends a response whose `projects` have been serialised. Responses share these bytes. */
export async function sendPage(reply: FastifyReply, projects: Buffer, fields: object): Promise<void> {
  const head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"projects":`);
  const pieces = [head, projects, Buffer.from('}')];
  if (projects.length < SHARED_BYTES) return sendReservedJson(reply, Buffer.concat(pieces));
  reserveIfLarge(reply, projects);
  if (reply.raw.destroyed) return;
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const closed = once(reply.raw, 'close');
  reply
    .header('cache-control', 'no-store')
    .header('content-type', JSON_UTF8)
    .header('content-length', bytes)
    .send(Readable.from(pieces));
  // A handler that ends before its stream would send an empty body.
  await closed;
}
