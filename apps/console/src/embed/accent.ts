import { contrast, mix, type Hex } from '../design/contrast.ts';

/** The colours of a theme that text in the accent colour is shown on. */
interface Ground {
  readonly backgrounds: readonly Hex[];
  readonly surface: Hex;
  /** Black or white, whichever is farther from the surface. */
  readonly extreme: Hex;
}

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

/** The tokens that depend on the accent. */
interface Accent {
  readonly accent: Hex;
  readonly 'accent-fill': Hex;
  readonly 'on-accent': Hex;
  readonly selected: Hex;
}

const MIN_CONTRAST = { text: 4.5, shape: 3 };
const TINT = 0.08;
const STEPS = 50;

/** Derives the accent of a theme from a colour: as close to it as the contrast allows, by making it darker or lighter. */
export function accentOn({ backgrounds, surface, extreme }: Ground, colour: Hex): Accent {
  const selected = mix(surface, colour, TINT);
  const on = [...backgrounds, selected];
  const accent = readable(colour, extreme, on, MIN_CONTRAST.text);
  return {
    accent,
    'accent-fill': readable(colour, extreme, on, MIN_CONTRAST.shape),
    'on-accent':
      ['#ffffff', '#12162a'].toSorted((a, b) => contrast(b, accent) - contrast(a, accent))[0] ?? '',
    selected,
  };
}

/** Moves a colour towards black or white until it contrasts enough with each background. */
function readable(colour: Hex, extreme: Hex, backgrounds: readonly Hex[], least: number): Hex {
  for (let step = 0; step < STEPS; step += 1) {
    const moved = mix(colour, extreme, step / STEPS);
    if (backgrounds.every((background) => contrast(moved, background) >= least)) return moved;
  }
  return extreme;
}
