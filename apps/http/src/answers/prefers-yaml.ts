const RANGE = /^\s*(?<type>[\w*+.-]+\/[\w*+.-]+)\s*(?:;.*?\bq\s*=\s*(?<weight>[01](?:\.\d{0,3})?))?/i;

/** Whether an `Accept` header prefers YAML to JSON, which is the answer to all others. */
export function prefersYaml(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const range of (header ?? '').split(',')) {
    const { type, weight = '1' } = RANGE.exec(range)?.groups ?? {};
    if (type !== undefined) weights.set(type.toLowerCase(), Number(weight));
  }
  const weightOf = (type: string): number =>
    weights.get(type) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return weightOf('application/yaml') > weightOf('application/json');
}
