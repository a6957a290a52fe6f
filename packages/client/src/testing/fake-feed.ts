import type { RuntimeConfiguration, RuntimeReport } from '../wire/runtime.ts';
import { fakeService, type FakeAnswer, type FakeService, type SeenRequest } from './fake-service.ts';

/** A service that holds requests with `wait` until its configuration is another one. */
export interface FakeFeed extends FakeService {
  readonly reads: readonly SeenRequest[];
  readonly reports: readonly RuntimeReport[];
  /** Gives the family another version, with one record that is called like it. */
  change(version: string): void;
  /** What reads are answered from now on, those that wait included; null for the configuration. */
  answerReads(answer: FakeAnswer | 'hang up' | null): void;
  answerReports(answer: FakeAnswer): void;
}

export function configurationOf(version: string): RuntimeConfiguration {
  const config = { token: 'hunter2', hosts: ['a.example'] };
  return { version, results: [{ id: 1, plugin: 7, plugin_name: 'GeoIP', name: version, order: 1, config }] };
}

export async function fakeFeed(first = 'a'): Promise<FakeFeed> {
  const reads: SeenRequest[] = [];
  const reports: RuntimeReport[] = [];
  let version = first;
  let fixed: FakeAnswer | 'hang up' | null = null;
  let reportAnswer: FakeAnswer = { status: 204 };
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const service = await fakeService(async (request) => {
    if (request.method === 'PUT') {
      if (reportAnswer.status === 204) reports.push(JSON.parse(request.text) as RuntimeReport);
      return reportAnswer;
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
    answerReads(answer) {
      fixed = answer;
      wake();
    },
    answerReports(answer) {
      reportAnswer = answer;
    },
  };
}
