import { HOST_RULES, LINES } from './host-rules.ts';
import { JOB_RULES } from './job-rules.ts';
import { RULES, type Rule } from './rules.ts';
import { BrokenRule, runTrial } from './trial.ts';
import { ALL_PROJECTS, ONE_PROJECT } from './wire.ts';

export interface CheckOptions {
  readonly command: readonly string[];
  /** Whether the command follows all projects. */
  readonly isHost: boolean;
  /** Whether the command takes jobs. */
  readonly hasJobs: boolean;
  /** The names of the rules to check; all by default. */
  readonly only?: readonly string[];
  /** How long the command may take for what it has to do. */
  readonly limitMs: number;
  /** Called in the sequence of the rules. */
  readonly onResult?: (result: RuleResult) => void;
}

export interface RuleResult extends Pick<Rule, 'name' | 'title'> {
  readonly state: 'kept' | 'broken' | 'skipped';
  /** Why it is broken or skipped. */
  readonly reason: string | null;
}

/** Most of the time is waiting, so that several rules are checked at a time. */
const AT_A_TIME = 8;

export function rulesOf({ isHost, hasJobs }: Pick<CheckOptions, 'isHost' | 'hasJobs'>): readonly Rule[] {
  return [...RULES, ...(hasJobs ? JOB_RULES : []), ...(isHost ? [LINES, ...HOST_RULES] : [])];
}

/** Checks which rules a runtime keeps. */
export async function checkRuntime(options: CheckOptions): Promise<readonly RuleResult[]> {
  const { only, onResult } = options;
  const rules = rulesOf(options).filter(({ name }) => only === undefined || only.includes(name));
  const started = new Map<string, Promise<RuleResult>>();
  const slots: Promise<unknown>[] = Array.from({ length: AT_A_TIME }, async () => undefined);
  rules.forEach((rule, index) => {
    const needed = rule.needs === undefined ? undefined : started.get(rule.needs);
    const slot = index % AT_A_TIME;
    const result = Promise.all([needed, slots[slot]]).then(async ([previous]) =>
      previous === undefined || previous.state === 'kept'
        ? resultOf(rule, options)
        : {
            name: rule.name,
            title: rule.title,
            state: 'skipped' as const,
            reason: `It needs ${previous.name}.`,
          },
    );
    slots[slot] = result;
    started.set(rule.name, result);
  });
  const results: RuleResult[] = [];
  for (const result of started.values()) {
    results.push(await result);
    onResult?.(await result);
  }
  return results;
}

async function resultOf(
  { name, title, check }: Rule,
  { command, isHost, limitMs }: CheckOptions,
): Promise<RuleResult> {
  try {
    await runTrial({ command, wire: isHost ? ALL_PROJECTS : ONE_PROJECT, limitMs }, check);
    return { name, title, state: 'kept', reason: null };
  } catch (error) {
    if (!(error instanceof BrokenRule)) throw error;
    return { name, title, state: 'broken', reason: error.message };
  }
}
