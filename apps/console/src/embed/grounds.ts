import type { Ground } from './accent.ts';

/** The backgrounds of `tokens.css` except `--selected`, which depends on the accent. The build rewrites them, so the page cannot read them. */
export const GROUNDS = {
  light: {
    surface: '#ffffff',
    backgrounds: ['#f6f7f9', '#ffffff', '#eef0f4', '#e3f5eb', '#fdf0d8', '#fdebee'],
    extreme: '#000000',
  },
  dark: {
    surface: '#15181e',
    backgrounds: ['#0e1014', '#15181e', '#1d2129', '#10291d', '#33250d', '#3a171d'],
    extreme: '#ffffff',
  },
} satisfies Record<string, Ground>;
