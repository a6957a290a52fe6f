import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CSS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** The light and the dark colour of each token. */
const COLOURS = new Map(
  [...CSS.matchAll(/(?<name>--[\w-]+): light-dark\((?<light>#\w{6}), (?<dark>#\w{6})\)/g)].map(
    ({ groups }) => [groups?.['name'] ?? '', [groups?.['light'] ?? '', groups?.['dark'] ?? ''] as const],
  ),
);

const GROUNDS = ['ground', 'surface', 'sunken', 'selected', 'good-soft', 'warn-soft', 'bad-soft'];
const TEXTS = ['text', 'muted', 'accent', 'good', 'warn', 'bad'];
const SHAPES = ['edge', 'accent-fill', 'good-fill', 'warn-fill', 'bad-fill'];

test.for([
  ['text', TEXTS, GROUNDS, 4.5],
  ['text on the accent', ['on-accent'], ['accent'], 4.5],
  ['shape', SHAPES, GROUNDS, 3],
] as const)('every %s has enough contrast in both themes', ([, fronts, grounds, least]) => {
  const weak = fronts.flatMap((front) =>
    grounds.flatMap((ground) =>
      [0, 1]
        .filter((theme) => contrast(colour(front, theme), colour(ground, theme)) < least)
        .map((theme) => [front, ground, theme]),
    ),
  );
  expect(weak).toEqual([]);
});

function colour(name: string, theme: number): string {
  const found = COLOURS.get(`--${name}`)?.[theme];
  if (found === undefined) throw new Error(`No colour ${name}`);
  return found;
}

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
