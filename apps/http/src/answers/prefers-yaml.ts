import { weightsIn } from '@plugin-config/server';

const RANGE = /^\s*(?<name>[\w*+.-]+\/[\w*+.-]+)\s*(?:;.*?\bq\s*=\s*(?<weight>[01](?:\.\d{0,3})?))?/i;

/** Whether an `Accept` header prefers YAML to JSON, which is the answer to all others. */
export function prefersYaml(header: string | undefined): boolean {
  const weights = weightsIn(header ?? '', RANGE);
  const weightOf = (type: string): number =>
    weights.get(type) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return weightOf('application/yaml') > weightOf('application/json');
}
