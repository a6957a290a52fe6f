import type { ItemKind } from '@plugin-config/contract';
import { SERVICE } from '@plugin-config/domain';
import { accessOf, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BaseUrl } from '../requests/base-url.ts';
import { itemTagName } from './entity-tag.ts';
import { taggedResponse, type TaggedResponse } from './send-response.ts';

interface Item {
  readonly id: number;
  readonly version: number;
}

/** Returns the address of an alert or a webhook of the project in the path or, without one, of all projects. */
export function itemAddress(baseUrl: BaseUrl, request: FastifyRequest, item: string): string {
  const { projectId } = accessOf(request);
  return `${baseUrl(request)}/api/${projectId === SERVICE ? '' : `projects/${projectId}/`}${item}`;
}

/** Returns the response for an alert or a webhook. */
export function itemResponse(request: FastifyRequest, kind: ItemKind, item: Item): TaggedResponse {
  return taggedResponse(itemTagName(request, kind, item.id), item.version, item);
}

/** Sends an alert or a webhook that was changed. */
export function sendChangedItem(reply: FastifyReply, kind: ItemKind, item: Item): void {
  const { body, etag } = itemResponse(reply.request, kind, item);
  sendReservedJson(reply.header('etag', etag), body);
}
