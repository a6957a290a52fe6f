import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { openGate } from '../gate/gate.ts';
import { openServer, type ServerSettings } from '../open-server.ts';

/** Opens a server without routes, which is closed after the test. */
export function testServer(settings: Partial<ServerSettings> = {}): FastifyInstance {
  const gate = openGate({ poolSize: 10, streams: 0 });
  const app = openServer({ gate, trustProxy: false, bodyLimit: 1024, ...settings });
  onTestFinished(() => app.close());
  return app;
}
