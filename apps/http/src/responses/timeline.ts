import type { Timeline } from '@plugin-config/persistence';

/** Prefixes a cursor or an entity tag with the timeline it belongs to, because versions can repeat on another one. */
export function onTimeline({ id }: Pick<Timeline, 'id'>, text: string): string {
  return `${id}.${text}`;
}

const FORM = /^([a-z\d]{1,16})\.(.+)$/s;

/** Reads a text of this timeline. A text of another timeline is `unknown`. */
export function readOnTimeline<T>(
  { id }: Timeline,
  text: string,
  parse: (text: string) => T | null,
): T | 'malformed' | 'unknown' {
  const [, given, rest = ''] = FORM.exec(text) ?? [];
  const parsed = given === undefined ? null : parse(rest);
  if (parsed === null) return 'malformed';
  return given === id ? parsed : 'unknown';
}

/** Prefixes a text also with its project, because the external id in an address can move to another one. */
export function onProject(timeline: Pick<Timeline, 'id'>, projectId: number, text: string): string {
  return onTimeline(timeline, `${projectId}.${text}`);
}

const OF_PROJECT = /^(\d{1,16})\.(.+)$/s;

/** Reads a text of this project. A text of another project or timeline is `unknown`. */
export function readOnProject<T>(
  timeline: Timeline,
  projectId: number,
  text: string,
  parse: (text: string) => T | null,
): T | 'malformed' | 'unknown' {
  const read = readOnTimeline(timeline, text, (ofTimeline) => {
    const [, given, rest = ''] = OF_PROJECT.exec(ofTimeline) ?? [];
    const parsed = given === undefined ? null : parse(rest);
    return parsed === null ? null : { parsed, isOwn: given === String(projectId) };
  });
  if (typeof read === 'string') return read;
  return read.isOwn ? read.parsed : 'unknown';
}
