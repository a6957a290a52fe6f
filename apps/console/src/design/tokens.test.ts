import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';

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
