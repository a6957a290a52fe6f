const KEY = 'plugin-console-theme';

export const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };

export const storedTheme = (): string => localStorage.getItem(KEY) ?? 'system';

export function applyTheme(theme: string): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset['theme'] = theme;
}
