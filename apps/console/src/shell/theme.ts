const KEY = 'plugin-console-theme';

export const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
export type Theme = (typeof THEMES)[number][0];

export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find(([theme]) => theme === stored)?.[0] ?? 'system';
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
