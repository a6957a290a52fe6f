import type { Overview } from '@plugin-config/client';
import { FAMILIES, familyPath, projectPath } from '../shell/addresses.ts';
import { formatCount, rateText } from '../ui/format.ts';

/** The properties of each part of the overview. */
export interface OverviewProperties {
  readonly projectId: number;
  readonly overview: Overview;
}

/** Something that needs attention, and the list that shows it. */
export interface Concern {
  readonly text: string;
  readonly href: string;
}

/** Returns what needs attention, the worst first; empty if everything is all right. */
export function concernsOf(
  {
    incidents,
    families,
    runtimes,
    webhooks,
  }: Pick<Overview, 'incidents' | 'families' | 'runtimes' | 'webhooks'>,
  projectId: number,
): readonly Concern[] {
  const runtimesPath = runtimesPathOf(projectId);
  const all = [
    {
      count: incidents.open,
      one: 'open incident',
      many: 'open incidents',
      href: `${projectPath(projectId)}/incidents`,
    },
    ...families.map(({ family, failing }) => ({
      count: failing,
      one: `${FAMILIES[family].toLowerCase().slice(0, -1)} shows an error`,
      many: `${FAMILIES[family].toLowerCase()} show an error`,
      href: `${familyPath({ projectId, family })}?errors=true`,
    })),
    ...families.map(({ family, invalid }) => ({
      count: invalid,
      one: `${FAMILIES[family].toLowerCase().slice(0, -1)} has an invalid configuration`,
      many: `${FAMILIES[family].toLowerCase()} have an invalid configuration`,
      href: `${familyPath({ projectId, family })}?valid=false`,
    })),
    { count: runtimes.failed, one: 'runtime has failed', many: 'runtimes have failed', href: runtimesPath },
    { count: runtimes.silent, one: 'runtime went silent', many: 'runtimes went silent', href: runtimesPath },
    { count: runtimes.behind, one: 'runtime is behind', many: 'runtimes are behind', href: runtimesPath },
    {
      count: webhooks.disabled,
      one: 'webhook was disabled, since it failed',
      many: 'webhooks were disabled, since they failed',
      href: `${projectPath(projectId)}/webhooks`,
    },
    ...families.map(({ family, outdated }) => ({
      count: outdated,
      one: `${FAMILIES[family].toLowerCase().slice(0, -1)} has an outdated version`,
      many: `${FAMILIES[family].toLowerCase()} have an outdated version`,
      href: `${familyPath({ projectId, family })}?outdated=true`,
    })),
  ];
  return all
    .filter(({ count }) => count > 0)
    .map(({ count, one, many, href }) => ({
      text: `${formatCount(count)} ${count === 1 ? one : many}`,
      href,
    }));
}

/** The address of the runtimes of plugin configs, which nearly all runtimes run. */
export const runtimesPathOf = (projectId: number): string =>
  `${familyPath({ projectId, family: 'plugin_configs' })}/runtimes`;

type Outcomes = NonNullable<Overview['deliveries']>['last_24h'];

/** Formats the share of deliveries that succeeded. */
export function successText({ successes, failures }: Outcomes): string {
  const all = successes + failures;
  return rateText(all === 0 ? null : String(successes / all));
}

/** Describes the deliveries of the day before, to compare with. */
export function dayBeforeText(outcomes: Outcomes): string {
  const all = outcomes.successes + outcomes.failures;
  return all === 0 ? 'none the day before' : `day before: ${successText(outcomes)} of ${formatCount(all)}`;
}

export interface ErrorBar {
  readonly start: number;
  readonly count: number;
  /** The share of the highest bar. */
  readonly share: number;
}

/** Returns a bar for each hour. */
export function barsOf(errors: Overview['errors']): readonly ErrorBar[] {
  const most = Math.max(1, ...errors.map(({ count }) => count));
  return errors.map(({ start, count }) => ({ start: Date.parse(start), count, share: count / most }));
}
