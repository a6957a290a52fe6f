import { idOf } from '../shell/addresses.ts';

/** Names are not kept: others may use this browser. */
const STORED = 'plugin-console-recent-projects';
const MAX = 5;

/** The ids of the projects opened last in this browser, the latest first. */
export const recentProjectIds = (): readonly number[] => idsIn(localStorage.getItem(STORED) ?? '');

export function rememberProject(id: number): void {
  localStorage.setItem(STORED, withLatest(recentProjectIds(), id).join(','));
}

export const idsIn = (text: string): readonly number[] =>
  text
    .split(',')
    .flatMap((part) => idOf(part) ?? [])
    .slice(0, MAX);

export const withLatest = (ids: readonly number[], id: number): readonly number[] =>
  [id, ...ids.filter((one) => one !== id)].slice(0, MAX);
