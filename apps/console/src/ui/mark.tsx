import { initialsOf } from './initials.ts';

declare module 'react' {
  interface CSSProperties {
    /** The hue of a mark. */
    readonly '--hue'?: number;
  }
}

interface Properties {
  readonly name: string;
  /** Things with the same seed have the same colour. */
  readonly seed: number;
  readonly isLarge?: boolean;
}

/** How far apart the hues of consecutive numbers are: the golden angle, so neighbours differ. */
const HUE_STEP = 137.5;

/** A tile with initials, which makes a name easier to find again. Icons of plugins are on other hosts and not loaded. */
export function Mark({ name, seed, isLarge = false }: Properties) {
  return (
    <span
      aria-hidden="true"
      className={`mark ${isLarge ? 'large' : ''}`}
      style={{ '--hue': (seed * HUE_STEP) % 360 }}
    >
      {initialsOf(name)}
    </span>
  );
}
