import { contrast, mix, type Hex } from '../design/contrast.ts';

/** The colours of a theme that text in the accent colour is shown on, and its text colour. */
export interface Ground {
  readonly backgrounds: readonly Hex[];
  readonly surface: Hex;
  /** Black or white, whichever is farther from the surface. */
  readonly extreme: Hex;
}

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
