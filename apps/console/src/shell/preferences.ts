import { useSyncExternalStore } from 'react';

/** The display preferences of the user and their values, the default first. Stored in this browser. */
const PREFERENCES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  wrap: ['wrap', 'nowrap'],
  zone: ['local', 'utc'],
} as const;

type Name = keyof typeof PREFERENCES;
type Value<N extends Name> = (typeof PREFERENCES)[N][number];

const listeners = new Set<() => void>();

const keyOf = (name: Name): string => `plugin-console-${name}`;

function preference<N extends Name>(name: N): Value<N> {
  const values: readonly Value<N>[] = PREFERENCES[name];
  const stored = localStorage.getItem(keyOf(name));
  return values.find((value) => value === stored) ?? PREFERENCES[name][0];
}

/** Sets the attributes of the page that the stylesheets read. */
export function applyPreferences(): void {
  for (const name of Object.keys(PREFERENCES) as readonly Name[]) {
    document.documentElement.dataset[name] = preference(name);
  }
}

/** A preference, and a function that changes it. */
export function usePreference<N extends Name>(name: N): readonly [Value<N>, (value: Value<N>) => void] {
  const value = useSyncExternalStore(subscribe, () => preference(name));
  return [
    value,
    (next) => {
      localStorage.setItem(keyOf(name), next);
      applyPreferences();
      for (const listener of listeners) listener();
    },
  ];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
