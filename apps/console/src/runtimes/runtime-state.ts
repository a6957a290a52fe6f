import type { Runtime } from '@plugin-config/client';

/** `current` is absent in the list of all projects. */
type State = Pick<Runtime, 'online' | 'status' | 'failed'> & Partial<Pick<Runtime, 'current'>>;

export type RuntimeCondition = 'current' | 'behind' | 'failed' | 'offline';

/** Returns the worst of what a runtime's report says; that of an offline runtime no longer counts. */
export function runtimeConditionOf({ online, status, current = true }: State): RuntimeCondition {
  if (!online) return 'offline';
  if (status === 'failed') return 'failed';
  return current ? 'current' : 'behind';
}

/** Describes the state of a runtime. */
export function runtimeStateOf({ online, status, current, failed }: State): string {
  const version =
    current === undefined ? 'its version' : current ? 'the current version' : 'an older version';
  const records =
    failed.length === 1 ? '1 record of ' : failed.length > 0 ? `${failed.length} records of ` : '';
  const verb = online ? 'running ' : 'last ran ';
  return `${online ? 'Online' : 'Offline'}, ${status === 'failed' ? `could not apply ${records}` : verb}${version}`;
}

/** Summarises how many runtimes are online, behind and failed. */
export function runtimesSummaryOf(runtimes: readonly State[]): string {
  const online = runtimes.filter((runtime) => runtime.online);
  const behind = online.filter(({ current = true }) => !current).length;
  const failed = online.filter(({ status }) => status === 'failed').length;
  return [
    `${online.length} of ${runtimes.length} online`,
    ...(behind > 0 ? [`${behind} behind`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}
