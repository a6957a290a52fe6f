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
