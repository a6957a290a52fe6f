const KEY = 'plugin-console-theme';

export const THEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export type Theme = keyof typeof THEMES;

export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored !== null && Object.hasOwn(THEMES, stored) ? (stored as Theme) : 'system';
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
