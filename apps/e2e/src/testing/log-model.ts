// A model of a log and its filters, as docs/api/logs.md describes them. It checks every entry.

/** An entry as pushed. */
export interface Line {
  readonly plugin_config_id: number;
  readonly id: string;
  readonly timestamp: string;
  readonly source: string;
  readonly type: string;
  readonly message: string;
  readonly instance_id: string;
}

export interface LogFilter {
  readonly types?: readonly string[];
  readonly source?: string;
  readonly instance_id?: string;
  /** Milliseconds. */
  readonly after?: number;
  readonly before?: number;
  readonly search?: string;
}

/** Returns the entries of a record: each once, newest first, ties by descending id. */
export function logOf(lines: readonly Line[], record: number): readonly Line[] {
  const entries = new Map(
    lines
      .filter((line) => line.plugin_config_id === record)
      .map((line) => ({ ...line, timestamp: toMilliseconds(line.timestamp) }))
      .map((line) => [`${line.timestamp} ${line.id}`, line]),
  );
  return [...entries].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([, line]) => line);
}

/** Truncates a timestamp to milliseconds. */
const toMilliseconds = (timestamp: string): string => new Date(Date.parse(timestamp)).toISOString();

export function filtered(
  entries: readonly Line[],
  { types = [], source, instance_id: instance, after, before, search }: LogFilter,
): readonly Line[] {
  return entries.filter(
    (line) =>
      (types.length === 0 || types.includes(line.type)) &&
      (source === undefined || line.source === source) &&
      (instance === undefined || line.instance_id === instance) &&
      (after === undefined || Date.parse(line.timestamp) > after) &&
      (before === undefined || Date.parse(line.timestamp) < before) &&
      (search === undefined || line.message.toLowerCase().includes(search.toLowerCase())),
  );
}

export function parametersOf({ types = [], after, before, ...equal }: LogFilter): URLSearchParams {
  const moment = (time: number): string => new Date(time).toISOString();
  const parameters = new URLSearchParams(equal);
  for (const type of types) parameters.append('type_filter', type);
  if (after !== undefined) parameters.set('after', moment(after));
  if (before !== undefined) parameters.set('before', moment(before));
  return parameters;
}
