import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALM, evaluate, type AlertState, type Reading } from './alert-state.ts';

const BREACHED: Reading = { kind: 'breached', value: 1 };
const FINE: Reading = { kind: 'fine' };
const INCONCLUSIVE: Reading = { kind: 'inconclusive' };

const readings = fc.array(fc.constantFrom(BREACHED, FINE, INCONCLUSIVE), { maxLength: 60 });
const required = fc
  .integer({ min: 1, max: 10 })
  .chain((m) => fc.record({ n: fc.integer({ min: 1, max: m }), m: fc.constant(m) }));

interface Run {
  readonly states: readonly AlertState[];
  readonly effects: readonly ('open' | 'close' | null)[];
}

function runOf(rule: { readonly n: number; readonly m: number }, given: readonly Reading[]): Run {
  const [states, effects]: [AlertState[], ('open' | 'close' | null)[]] = [[CALM], []];
  for (const reading of given) {
    const { state, effect } = evaluate({ required: rule }, states.at(-1) ?? CALM, reading);
    states.push(state);
    effects.push(effect);
  }
  return { states, effects };
}

test('one breach opens an incident, and the next fine reading closes it', () => {
  const { effects } = runOf({ n: 1, m: 1 }, [FINE, BREACHED, BREACHED, INCONCLUSIVE, FINE, FINE]);
  expect(effects).toEqual([null, 'open', null, null, 'close', null]);
});

test('an incident of 2 of 3 opens with the second breach, and closes when only one of the last three is left', () => {
  const { effects } = runOf({ n: 2, m: 3 }, [BREACHED, FINE, BREACHED, FINE, FINE, BREACHED, BREACHED]);
  expect(effects).toEqual([null, null, 'open', 'close', null, null, 'open']);
});

test('incidents open and close alternately, beginning with an opening', () => {
  fc.assert(
    fc.property(required, readings, (rule, given) => {
      const effects = runOf(rule, given).effects.filter((effect) => effect !== null);
      expect(effects).toEqual(effects.map((_, i) => (i % 2 === 0 ? 'open' : 'close')));
    }),
  );
});

test('an incident is open exactly while enough of the last conclusive readings are breaches', () => {
  fc.assert(
    fc.property(required, readings, ({ n, m }, given) => {
      const { states, effects } = runOf({ n, m }, given);
      let isOpen = false;
      for (const [i, effect] of effects.entries()) {
        if (effect !== null) isOpen = effect === 'open';
        const conclusive = given.slice(0, i + 1).filter(({ kind }) => kind !== 'inconclusive');
        const breaches = conclusive.slice(-m).filter(({ kind }) => kind === 'breached');
        expect(isOpen).toBe(breaches.length >= n);
        expect(states[i + 1]?.firing).toBe(isOpen);
      }
    }),
  );
});

test('inconclusive readings change nothing', () => {
  fc.assert(
    fc.property(required, readings, (rule, given) => {
      const conclusive = given.filter(({ kind }) => kind !== 'inconclusive');
      const [all, without] = [runOf(rule, given), runOf(rule, conclusive)];
      expect(all.states.at(-1)).toEqual(without.states.at(-1));
      expect(all.effects.filter((effect) => effect !== null)).toEqual(
        without.effects.filter((effect) => effect !== null),
      );
    }),
  );
});

test('enough fine readings close every incident, and leave the initial state', () => {
  fc.assert(
    fc.property(required, readings, (rule, given) => {
      const calming = Array.from({ length: rule.m }, () => FINE);
      const { states, effects } = runOf(rule, [...given, ...calming]);
      expect(states.at(-1)).toBe(CALM);
      const all = effects.filter((effect) => effect !== null);
      expect(all.filter((effect) => effect === 'open')).toHaveLength(all.length / 2);
    }),
  );
});

test('a state remembers at most the readings that the rule needs, and at least one breach', () => {
  fc.assert(
    fc.property(required, readings, (rule, given) => {
      for (const state of runOf(rule, given).states) {
        expect(state.recent.length).toBeLessThanOrEqual(rule.m);
        expect(state === CALM || state.recent.includes(true)).toBe(true);
      }
    }),
  );
});
