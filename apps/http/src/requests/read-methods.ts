import type { HTTPMethods } from 'fastify';

/** Where `If-None-Match` is heard: the framework's own HEAD would tell a length of 0 where GET's 304 tells none. */
export const READ_METHODS: HTTPMethods[] = ['GET', 'HEAD'];
