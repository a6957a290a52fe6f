import type { HostReport } from '../wire.ts';
import { configurationOf } from './fake-feed.ts';
import { fakeService, type FakeResponse, type FakeService, type SeenRequest } from './fake-service.ts';

/** A service with the feed of all projects, in pages of two. */
export interface FakeProjects extends FakeService {
  readonly feeds: readonly SeenRequest[];
  /** The bodies of requests for some projects. */
  readonly reads: readonly string[];
  readonly reports: readonly HostReport[];
  /** Changes the version of a project, as write-backs do to the first one; null deletes it, and `too_large` makes it too large to read. */
  change(projectId: number, version: string | null, externalId?: string | null): void;
  /** Forgets all cursors. A deleted project is then not mentioned any more. */
  reset(): void;
  /** Sets the response to the feed and to reads, including waiting requests; null for the projects. */
  respond(response: FakeResponse | 'hang up' | null): void;
  respondToReports(response: FakeResponse): void;
  /** Called before a read, or a page of the feed, is responded to, with what it will respond. */
  holdReads(hold: (() => Promise<void>) | null): void;
}

interface Stored {
  readonly version: string | null;
  readonly externalId: string | null;
  readonly changedAt: number;
}

const PAGE = 2;

export async function fakeProjects(): Promise<FakeProjects> {
  const feeds: SeenRequest[] = [];
  const reads: string[] = [];
  const reports: HostReport[] = [];
  const stored = new Map<number, Stored>();
  let now = 0;
  let epoch = 0;
  let fixed: FakeResponse | 'hang up' | null = null;
  let reportResponse: FakeResponse = { status: 204 };
  let hold: (() => Promise<void>) | null = null;
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const shown = (id: number, { version, externalId }: Stored, withContent: boolean) => {
    const project = { project_id: id, external_id: externalId };
    if (version === 'too_large') return { ...project, version: null, error: 'too_large' };
    return { ...project, version, ...(withContent && { results: configurationOf(version ?? '').results }) };
  };

  const page = (query: URLSearchParams) => {
    const parts = (query.get('after') ?? '').split('.').map(Number);
    const isKnown = query.has('after') && parts[0] === epoch;
    const [since = 0, after = 0, start = now] = isKnown ? parts.slice(1) : [];
    const found = [...stored]
      .filter(
        ([id, { changedAt, version }]) => changedAt > since && id > after && (isKnown || version !== null),
      )
      .toSorted(([one], [other]) => one - other);
    const shownNow = found.slice(0, PAGE);
    const more = found.length > PAGE;
    return {
      cursor: more ? [epoch, since, shownNow.at(-1)?.[0], start].join('.') : [epoch, start].join('.'),
      more,
      reset: query.has('after') && !isKnown,
      gone: shownNow.flatMap(([id, { version }]) =>
        version === null ? { project_id: id, external_id: null } : [],
      ),
      projects: shownNow.flatMap(([id, one]) =>
        one.version === null ? [] : shown(id, one, query.get('content') !== 'false'),
      ),
    };
  };

  const change = (projectId: number, version: string | null, externalId?: string | null): void => {
    const { externalId: last = null } = stored.get(projectId) ?? {};
    stored.set(projectId, {
      version,
      externalId: externalId === undefined ? last : externalId,
      changedAt: ++now,
    });
    wake();
  };
  const write = () => {
    const previous_version = stored.get(1)?.version ?? '';
    const version = `${previous_version}+`;
    change(1, version);
    return { config_version: 3, version, previous_version };
  };

  const service = await fakeService(async (request) => {
    const { method, path, text } = request;
    if (method === 'PUT') {
      if (reportResponse.status === 204) reports.push(JSON.parse(text) as HostReport);
      return reportResponse;
    }
    if (method === 'PATCH') return { body: write() };
    if (method === 'POST') {
      reads.push(text);
      if (fixed !== null) return fixed;
      const { projects } = JSON.parse(text) as { projects: number[] };
      const found = projects.map((id) => [id, stored.get(id)] as const);
      const body = {
        more: found.length > PAGE,
        gone: found
          .slice(0, PAGE)
          .flatMap(([id, one]) => (one?.version ? [] : { project_id: id, external_id: null })),
        projects: found.slice(0, PAGE).flatMap(([id, one]) => (one?.version ? shown(id, one, true) : [])),
      };
      await hold?.();
      return { body };
    }
    feeds.push(request);
    const query = new URL(path, 'http://fake').searchParams;
    const isNews = ({ projects, gone, more, reset }: ReturnType<typeof page>): boolean =>
      projects.length + gone.length > 0 || more || reset;
    if (fixed === null && query.has('wait') && !isNews(page(query))) await changed.promise;
    const response = fixed ?? { body: page(query) };
    await hold?.();
    return response;
  });
  return {
    ...service,
    feeds,
    reads,
    reports,
    change,
    reset() {
      epoch++;
      for (const [id, { version }] of stored) if (version === null) stored.delete(id);
      wake();
    },
    respond(response) {
      fixed = response;
      wake();
    },
    respondToReports(response) {
      reportResponse = response;
    },
    holdReads(next) {
      hold = next;
    },
  };
}
