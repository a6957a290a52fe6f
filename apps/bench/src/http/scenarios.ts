import type { LoadRequest } from './load.ts';
import { PROJECTS, RECORDS_PER_PROJECT } from './seed.ts';

const VARIANTS = 40_000;

/** A measured request, and its goal as a ratio to a reference. */
export interface Scenario {
  readonly name: string;
  readonly reference: 'limit' | 'bare';
  readonly goal: Readonly<Record<number, number>>;
  readonly requests: (credential: string) => readonly LoadRequest[];
  /** Sends the tag of the current response. */
  readonly isRevalidation?: boolean;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'list of 100',
    reference: 'limit',
    goal: { 20: 0.65, 100: 0.9 },
    requests: (credential) => projects().map((project) => request('GET', listPath(project), credential)),
  },
  {
    name: 'list of 100, not changed',
    reference: 'limit',
    goal: { 20: 0.4, 100: 0.6 },
    isRevalidation: true,
    requests: (credential) => projects().map((project) => request('GET', listPath(project), credential)),
  },
  {
    name: 'poll of a runtime, not changed',
    reference: 'limit',
    goal: { 20: 0.4, 100: 0.6 },
    isRevalidation: true,
    requests: (credential) => projects().map((project) => request('GET', feedPath(project), credential)),
  },
  {
    name: 'one record',
    reference: 'limit',
    goal: { 20: 0.4, 100: 0.6 },
    requests: (credential) => projects().map((project) => request('GET', recordPath(project, 1), credential)),
  },
  {
    name: 'PATCH',
    reference: 'bare',
    goal: { 20: 0.6, 100: 0.6 },
    requests: (credential) => {
      // Another record each time, so changes rarely meet.
      const from = (othersBegun++ * VARIANTS) % (PROJECTS * RECORDS_PER_PROJECT);
      return changes(
        credential,
        (turn) => 1 + ((from + turn) % PROJECTS),
        (turn) => 1 + (Math.floor((from + turn) / PROJECTS) % RECORDS_PER_PROJECT),
      );
    },
  },
  {
    name: 'POST',
    reference: 'bare',
    goal: { 20: 0.6, 100: 0.6 },
    requests: (credential) =>
      Array.from({ length: VARIANTS }, (_, turn) =>
        request('POST', listPath(1 + ((turn * 7919) % PROJECTS)), credential, {
          plugin: 1 + (turn % 20),
          name: `New ${turn}`,
          order: 1000 + turn,
        }),
      ),
  },
];

let othersBegun = 0;

function changes(
  credential: string,
  projectOf: (turn: number) => number,
  nthOf: (turn: number) => number,
): readonly LoadRequest[] {
  return Array.from({ length: VARIANTS }, (_, turn) =>
    request('PATCH', recordPath(projectOf(turn), nthOf(turn)), credential, {
      name: `Renamed ${turn} ${Date.now()}`,
    }),
  );
}

function projects(): readonly number[] {
  return Array.from({ length: PROJECTS }, (_, index) => index + 1);
}

export function listPath(project: number): string {
  return `/api/projects/${project}/plugin_configs/`;
}

export function feedPath(project: number): string {
  return `${listPath(project)}runtime`;
}

export function recordPath(project: number, nth: number): string {
  return `${listPath(project)}${(project - 1) * RECORDS_PER_PROJECT + nth}/`;
}

export function request(
  method: LoadRequest['method'],
  path: string,
  credential: string,
  body?: unknown,
): LoadRequest {
  const authorization = `Bearer ${credential}`;
  if (body === undefined) return { method, path, headers: { authorization } };
  return {
    method,
    path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
