import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from '../design/contrast.ts';
import { accentOn, GROUNDS } from './accent.ts';

const CSS = readFileSync(new URL('../design/tokens.css', import.meta.url), 'utf8');
const colour = fc.stringMatching(/^#[\da-f]{6}$/);
const theme = fc.constantFrom('light', 'dark');

/** Returns the colours of tokens in a theme. */
function tokens(names: readonly string[], of: 'light' | 'dark'): readonly string[] {
  return names.map((name) => {
    const [, light = '', dark = ''] =
      new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(CSS) ?? [];
    return of === 'light' ? light : dark;
  });
}

test.for(['light', 'dark'] as const)('the backgrounds in %s are those of the stylesheet', (of) => {
  const names = ['ground', 'surface', 'sunken', 'good-soft', 'warn-soft', 'bad-soft'];
  expect(GROUNDS[of].backgrounds).toEqual(tokens(names, of));
  expect([GROUNDS[of].surface]).toEqual(tokens(['surface'], of));
});

test('whatever the accent, everything is readable in both themes', () => {
  fc.assert(
    fc.property(colour, theme, (chosen, of) => {
      const ground = GROUNDS[of];
      const { accent, selected, 'on-accent': onAccent, 'accent-fill': fill } = accentOn(ground, chosen);
      for (const background of [...ground.backgrounds, selected]) {
        expect(contrast(accent, background)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(fill, background)).toBeGreaterThanOrEqual(3);
      }
      expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
      for (const text of tokens(['text', 'muted', 'good', 'warn', 'bad'], of))
        expect(contrast(text, selected)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('an accent that is readable is kept', () => {
  expect(accentOn(GROUNDS.light, '#0a5c40').accent).toBe('#0a5c40');
  expect(accentOn(GROUNDS.dark, '#7fe0b8').accent).toBe('#7fe0b8');
});
