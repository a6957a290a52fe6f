import type { RuntimeConfiguration, RuntimeReport } from '../wire.ts';
import { fakeService, type FakeResponse, type FakeService, type SeenRequest } from './fake-service.ts';

/** A service that holds requests with `wait` until its configuration changes. */
export interface FakeFeed extends FakeService {
  readonly reads: readonly SeenRequest[];
  readonly reports: readonly RuntimeReport[];
  /** Changes the version, and the name of the only record to that of the version. */
  change(version: string): void;
  /** Sets the response to reads, including waiting reads; null for the configuration. */
  respondToReads(response: FakeResponse | 'hang up' | null): void;
  respondToReports(response: FakeResponse): void;
}

export function configurationOf(version: string): RuntimeConfiguration {
  const config = { token: 'hunter2', hosts: ['a.example'] };
  const plugin = { plugin: 7, plugin_name: 'GeoIP', plugin_slug: 'geoip' };
  const record = { id: 1, ...plugin, name: version, order: 1, valid: true, config_version: 2, config };
  return { version, results: [record] };
}

export async function fakeFeed(first = 'a'): Promise<FakeFeed> {
  const reads: SeenRequest[] = [];
  const reports: RuntimeReport[] = [];
  let version = first;
  let fixed: FakeResponse | 'hang up' | null = null;
  let reportResponse: FakeResponse = { status: 204 };
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const service = await fakeService(async (request) => {
    if (request.method === 'PUT') {
      if (reportResponse.status === 204) reports.push(JSON.parse(request.text) as RuntimeReport);
      return reportResponse;
    }
    reads.push(request);
    const known = request.headers['if-none-match'];
    if (fixed === null && request.path.includes('wait=') && known === `"${version}"`) await changed.promise;
    if (fixed !== null) return fixed;
    const headers = { etag: `"${version}"` };
    return known === `"${version}"` ? { status: 304, headers } : { headers, body: configurationOf(version) };
  });
  return {
    ...service,
    reads,
    reports,
    change(next) {
      version = next;
      wake();
    },
    respondToReads(response) {
      fixed = response;
      wake();
    },
    respondToReports(response) {
      reportResponse = response;
    },
  };
}
