import { laneText, type OpenLane, type TakenJob } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';

/** The numbers of projects and lanes that are remembered. What is forgotten comes first again. */
const MAX = { projects: 10_000, lanes: 500 };

/** From which lanes and projects this process took jobs last, so that they take turns. */
export interface LaneTurns {
  take(from: readonly OpenLane[], taken: readonly Pick<TakenJob, 'job'>[]): void;
  /** Returns the project of each lane that had the last turn. */
  last(): ReadonlyMap<string, number>;
  /** Sorts by the last turns of the projects, then of the lanes. Others stay in their order. */
  inTurn(open: readonly OpenLane[]): readonly OpenLane[];
}

interface Turn {
  readonly at: number;
  readonly projectId: number;
}

export function laneTurns(): LaneTurns {
  const projects = new LRUCache<number, number>({ max: MAX.projects });
  const lanes = new LRUCache<string, Turn>({ max: MAX.lanes });
  let at = 0;
  return {
    take(from, taken) {
      const keyOf = (lane: string, projectId: number): string => `${projectId} ${lane}`;
      const isTaken = new Set(
        taken.map(({ job: { record, plugin, type } }) =>
          keyOf(
            laneText({ family: record.family, plugin: Number(plugin), type: String(type) }),
            record.projectId,
          ),
        ),
      );
      for (const lane of from) {
        const [text, { projectId }] = [laneText(lane), lane];
        if (!isTaken.has(keyOf(text, projectId))) continue;
        at++;
        projects.set(projectId, at);
        lanes.set(text, { at, projectId });
      }
    },
    last: () => new Map([...lanes].map(([lane, { projectId }]) => [lane, projectId])),
    inTurn(open) {
      const turnOf = (lane: OpenLane) =>
        [projects.get(lane.projectId) ?? 0, lanes.peek(laneText(lane))?.at ?? 0] as const;
      return open
        .map((lane) => ({ lane, turn: turnOf(lane) }))
        .toSorted(({ turn: a }, { turn: b }) => a[0] - b[0] || a[1] - b[1])
        .map(({ lane }) => lane);
    },
  };
}
