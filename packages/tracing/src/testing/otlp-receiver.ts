import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as received by the collector. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The ids of the linked spans. */
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

/** A collector for tests that accepts OTLP over HTTP as JSON. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The body of each request. */
  readonly bodies: readonly string[];
  /** The headers of each request. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Sets the status of later responses. */
  setStatus(status: number): void;
  /** Resolves to the spans with this name once `count` of them have been received. */
  named(name: string, count?: number): Promise<readonly ReceivedSpan[]>;
}

const TIMEOUT_MS = 15_000;
const POLL_MS = 20;
const FAILED = 2;

/** Starts a collector that responds with this status after this pause. */
export async function otlpReceiver({ status: firstStatus = 200, pauseMs = 0 } = {}): Promise<OtlpReceiver> {
  let status = firstStatus;
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    bodies.push(body);
    headers.push(request.headers);
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as Traces));
    setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'), pauseMs);
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    setStatus: (next) => {
      status = next;
    },
    named: async (name, count = 1) => {
      const found = (): readonly ReceivedSpan[] => spans.filter((span) => span.name === name);
      const deadline = performance.now() + TIMEOUT_MS;
      while (found().length < count) {
        if (performance.now() > deadline)
          throw new Error(`No span ${name}, only ${spans.map((span) => span.name).join(', ')}.`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return found();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly spanId: string }[];
  readonly status: { readonly code: number };
}

function spansOf({ resourceSpans }: Traces): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId, attributes, links, status }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: valuesOf(attributes),
        links: links.map((link) => link.spanId),
        isFailed: status.code === FAILED,
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? Number(intValue)]),
  );
}
