const KEY = 'plugin-console-theme';

export const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };

export function storedTheme(): string {
  const stored = localStorage.getItem(KEY);
  return stored !== null && Object.hasOwn(THEMES, stored) ? stored : 'system';
}

export function applyTheme(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: string): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
