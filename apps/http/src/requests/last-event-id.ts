import type { FastifyRequest } from 'fastify';

/** The cursor that a stream goes on after: the header, which clients send when they reconnect, else the parameter. */
export function lastEventIdOf({ raw }: FastifyRequest, call: object): string | null {
  const header = raw.headers['last-event-id'];
  if (header !== undefined && header !== '') return String(header);
  return 'query' in call
    ? ((call.query as { readonly last_event_id?: string | null }).last_event_id ?? null)
    : null;
}
