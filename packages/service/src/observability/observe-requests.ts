import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { accessLog } from './access-log.ts';
import type { RequestMeter } from './request-meter.ts';

interface Dependencies {
  readonly logger: Logger;
  readonly meter: RequestMeter;
}

/** Every answer is measured and, where it is worth a line, logged. */
export function observeRequests(app: FastifyInstance, { logger, meter }: Dependencies): void {
  const log = accessLog({ logger });
  app.decorateRequest('failure', null);
  app.decorateRequest('access', null);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    meter.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    log(request, reply, route);
    done();
  });
}
