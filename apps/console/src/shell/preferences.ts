import { useSyncExternalStore } from 'react';

/** The display preferences of the user and their values, the default first. */
const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  wrap: ['wrap', 'nowrap'],
  zone: ['local', 'utc'],
} as const;

type Name = keyof typeof PREFERENCES;
type Value<N extends Name> = (typeof PREFERENCES)[N][number];

const listeners = new Set<() => void>();

/** What the user has chosen. */
const chosen = new Map<string, string>();
/** Where it is kept beyond this page. */
let kept: Storage | null = null;

const keyOf = (name: Name): string => `plugin-console-${name}`;

function preference<N extends Name>(name: N): Value<N> {
  const values: readonly Value<N>[] = PREFERENCES[name];
  const stored = kept === null ? chosen.get(name) : kept.getItem(keyOf(name));
  return values.find((value) => value === stored) ?? PREFERENCES[name][0];
}

/** Keeps the preferences in a storage, and sets those that it has as attributes of the page, which the stylesheets read. */
export function keepPreferences(storage: Storage): void {
  kept = storage;
  for (const name of Object.keys(PREFERENCES) as readonly Name[]) show(name, preference(name));
}

const show = (name: Name, value: string): void => {
  document.documentElement.dataset[name] = value;
};

/** A preference, and a function that changes it. */
export function usePreference<N extends Name>(name: N): readonly [Value<N>, (value: Value<N>) => void] {
  const value = useSyncExternalStore(subscribe, () => preference(name));
  return [
    value,
    (next) => {
      chosen.set(name, next);
      kept?.setItem(keyOf(name), next);
      show(name, next);
      for (const listener of listeners) listener();
    },
  ];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
