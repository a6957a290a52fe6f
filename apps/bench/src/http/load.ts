import autocannon from 'autocannon';

export interface LoadRequest {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Distributed over the connections. Each connection repeats its share. If left out, the last load, of megabytes, is repeated.
   */
  readonly requests?: readonly LoadRequest[];
}

export interface LoadResult {
  readonly perSecond: number;
  readonly finished: number;
  readonly failed: number;
}

let lastRequests: readonly LoadRequest[] = [];

async function run({
  port,
  connections,
  seconds,
  requests = lastRequests,
}: LoadOptions): Promise<LoadResult> {
  lastRequests = requests;
  let client = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    setupClient: (connection) => {
      const own = client++;
      connection.setRequests(requests.filter((_, turn) => turn % connections === own));
    },
  });
  const finished = result['2xx'] + result['3xx'];
  const failed = result['1xx'] + result['4xx'] + result['5xx'] + result.errors;
  return { perSecond: finished / result.duration, finished, failed };
}

process.on('message', (options: LoadOptions) => {
  void run(options).then((result) => process.send?.(result));
});
