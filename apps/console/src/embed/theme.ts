import type { EmbedTheme } from '@plugin-config/client/embed';
import { accentOn, GROUNDS } from './accent.ts';

const HEX = /^#[\da-f]{6}$/i;
/** Names of fonts, quoted or not. */
const FONT = /^[\p{L}\p{N}\s,'"-]{1,200}$/u;
const RADIUS_MAX = 24;
/** How much rounder panels are than controls. */
const PANEL_RADIUS = 4;
const ACCENT_TOKENS = ['accent', 'accent-fill', 'on-accent', 'selected'] as const;
/** What `applyTheme` sets, and removes if the next theme lacks it. */
const TOKENS = [...ACCENT_TOKENS, 'radius', 'radius-l', 'sans'];

/** Makes the page look as the product wants, as long as it stays readable. Ignores values that it does not understand. */
export function applyTheme({ colorScheme, accent, radius, font }: EmbedTheme): void {
  const { style, dataset } = document.documentElement;
  const set = (token: string, value: string): void => style.setProperty(`--${token}`, value);
  for (const token of TOKENS) style.removeProperty(`--${token}`);
  dataset['theme'] = colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'system';
  if (typeof accent === 'string' && HEX.test(accent)) {
    const [light, dark] = [accentOn(GROUNDS.light, accent), accentOn(GROUNDS.dark, accent)];
    for (const token of ACCENT_TOKENS) set(token, `light-dark(${light[token]}, ${dark[token]})`);
  }
  if (typeof radius === 'number' && radius >= 0) {
    const pixels = Math.min(radius, RADIUS_MAX);
    set('radius', `${pixels}px`);
    set('radius-l', `${pixels === 0 ? 0 : pixels + PANEL_RADIUS}px`);
  }
  if (typeof font === 'string' && FONT.test(font)) set('sans', `${font}, system-ui, sans-serif`);
}
