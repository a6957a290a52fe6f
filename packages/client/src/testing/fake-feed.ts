import type { JsonObject, RuntimeConfiguration, RuntimeReport } from '../wire.ts';
import {
  errorResponse,
  fakeService,
  type FakeResponse,
  type FakeService,
  type SeenRequest,
} from './fake-service.ts';

/** A service that holds requests with `wait` until its configuration changes. */
export interface FakeFeed extends FakeService {
  readonly reads: readonly SeenRequest[];
  readonly reports: readonly RuntimeReport[];
  /** Changes the version, and the name of the only record to that of the version. */
  change(version: string): void;
  /** Sets the response to reads, including waiting reads; null for the configuration. */
  respondToReads(response: FakeResponse | 'hang up' | null): void;
  respondToReports(response: FakeResponse): void;
  /** Called before a read is responded to, with what it will respond. */
  holdReads(hold: (() => Promise<void>) | null): void;
  /** The bodies of write-backs. */
  readonly writes: readonly WriteBack[];
  /** Sets the response to write-backs; null to carry them out. */
  respondToWrites(respond: (() => FakeResponse | 'hang up' | null) | null): void;
}

interface WriteBack {
  readonly config_version: number;
  readonly set: JsonObject;
}

export function configurationOf(version: string): RuntimeConfiguration {
  const config = { token: 'hunter2', hosts: ['a.example'] };
  const plugin = {
    plugin: 7,
    plugin_name: 'GeoIP',
    plugin_slug: 'geoip',
    plugin_version: '0',
    schema_version: 1,
  };
  const record = { id: 1, ...plugin, name: version, order: 1, valid: true, config_version: 2, config };
  return { version, results: [record] };
}

export async function fakeFeed(first = 'a'): Promise<FakeFeed> {
  const reads: SeenRequest[] = [];
  const reports: RuntimeReport[] = [];
  const writes: WriteBack[] = [];
  let version = first;
  let written: WriteBack | null = null;
  let respond: (() => FakeResponse | 'hang up' | null) | null = null;
  let fixed: FakeResponse | 'hang up' | null = null;
  let hold: (() => Promise<void>) | null = null;
  let reportResponse: FakeResponse = { status: 204 };
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  /** Returns the configuration with what was written back. */
  const current = (): RuntimeConfiguration => {
    const { results, ...rest } = configurationOf(version);
    if (written === null) return { ...rest, results };
    const { config_version, set } = written;
    return {
      ...rest,
      results: results.map((one) => ({ ...one, config_version, config: { ...one.config, ...set } })),
    };
  };
  const write = (text: string): FakeResponse | 'hang up' => {
    const { config_version, set } = JSON.parse(text) as WriteBack;
    writes.push({ config_version, set });
    const fixedResponse = respond?.() ?? null;
    const [record] = current().results;
    const isHungUp = fixedResponse === 'hang up';
    if (fixedResponse !== null && !isHungUp) return fixedResponse;
    if (config_version !== record?.config_version) return errorResponse(412, 'precondition_failed');
    const previous_version = version;
    written = { config_version: config_version + 1, set: { ...written?.set, ...set } };
    version += '+';
    wake();
    return isHungUp ? 'hang up' : { body: { config_version: config_version + 1, version, previous_version } };
  };

  const service = await fakeService(async (request) => {
    if (request.method === 'PATCH') return write(request.text);
    if (request.method === 'PUT') {
      if (reportResponse.status === 204) reports.push(JSON.parse(request.text) as RuntimeReport);
      return reportResponse;
    }
    reads.push(request);
    const known = request.headers['if-none-match'];
    if (fixed === null && request.path.includes('wait=') && known === `"${version}"`) await changed.promise;
    if (fixed !== null) return fixed;
    const headers = { etag: `"${version}"` };
    const response = known === `"${version}"` ? { status: 304, headers } : { headers, body: current() };
    await hold?.();
    return response;
  });
  return {
    ...service,
    reads,
    reports,
    writes,
    respondToWrites(next) {
      respond = next;
    },
    change(next) {
      version = next;
      wake();
    },
    holdReads(next) {
      hold = next;
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
