import type { FastifyReply } from 'fastify';

/** A content under the name of the versions that it was read at. */
interface Named<Content> {
  readonly name: string;
  readonly content: Content;
}

interface Wanted<Content> {
  /** Names the versions that the response wants. */
  readonly name: string;
  /** Names the reads that the response may join; by default, those of the same versions. */
  readonly readName?: string;
  /** Reads these versions, or later ones. */
  readonly read: () => Promise<Named<Content>>;
}

/**
 * Responses that want the same versions share one read. Its content is kept until the last response is sent, under the versions that
 * the read found: they may be later than the wanted versions.
 */
export function sharedContents<Content>() {
  const reading = new Map<string, Promise<Named<Content>>>();
  const unsent = new Map<string, { readonly content: Content; responses: number }>();

  const join = (name: string, read: Wanted<Content>['read']): Promise<Named<Content>> => {
    const started = reading.get(name) ?? read().finally(() => reading.delete(name));
    reading.set(name, started);
    return started;
  };

  return async (
    { raw }: FastifyReply,
    { name: wanted, readName = wanted, read }: Wanted<Content>,
  ): Promise<Content> => {
    const kept = unsent.get(wanted);
    const { name, content } =
      kept === undefined ? await join(readName, read) : { name: wanted, content: kept.content };
    if (raw.destroyed) return content;
    const shared = unsent.get(name) ?? { content, responses: 0 };
    unsent.set(name, shared);
    shared.responses++;
    raw.once('close', () => {
      if (--shared.responses === 0) unsent.delete(name);
    });
    return shared.content;
  };
}
