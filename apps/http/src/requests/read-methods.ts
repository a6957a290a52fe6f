import type { HTTPMethods } from 'fastify';

/** The methods of routes with `If-None-Match`. Fastify's own HEAD route would add `content-length: 0` to a 304. */
export const READ_METHODS: HTTPMethods[] = ['GET', 'HEAD'];
