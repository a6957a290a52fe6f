import { idIn, pluginIn, uuidIn, type PathParams } from '@plugin-config/contract';
import { notFound, type PluginRef } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the id of this name in the path.
 * @throws DomainError `not_found` if it is not a valid id
 */
export function pathId({ params }: FastifyRequest, name: keyof PathParams): number {
  const id = idIn(params as PathParams, name);
  if (id === null) throw notFound();
  return id;
}

/** Like `pathId`, for a plugin. */
export function pathPlugin({ params }: FastifyRequest): PluginRef {
  const plugin = pluginIn(params as PathParams);
  if (plugin === null) throw notFound();
  return plugin;
}

/** Like `pathId`, for a UUID. */
export function pathUuid({ params }: FastifyRequest, name: keyof PathParams): string {
  const id = uuidIn(params as PathParams, name);
  if (id === null) throw notFound();
  return id;
}
