import { expect, test } from 'vitest';
import { otherErrors, problemAt, problemsIn } from './problems.ts';

const form = {
  fields: [
    { name: 'config.server', label: 'Server', type: 'json', stored: undefined },
    { name: 'config.port', label: 'Port', type: 'number', stored: undefined },
  ],
  others: null,
} as const;
const errors = [
  { attr: 'server.hosts.1', detail: 'First.' },
  { attr: 'server.hosts.1', detail: 'Second.' },
  { attr: 'port', detail: 'Too high.' },
  { attr: 'port.a', detail: 'Unknown.' },
  { attr: 'servers', detail: 'Unknown.' },
];

test('errors are at their place within the value of a field', () => {
  const problems = problemsIn(errors, form);
  expect(problems).toEqual(
    new Map([
      ['config.port', 'Too high.'],
      ['config.server.hosts.1', 'First.'],
    ]),
  );
  expect(otherErrors(errors, form).map(({ attr }) => attr)).toEqual(['port.a', 'servers']);
  expect(problemAt(problems, 'config.server.hosts.1')).toBe('First.');
  expect(problemAt(problems, 'config.server')).toBe('hosts.1: First.');
  expect(problemAt(problems, 'config.server.hosts', ['config.server.hosts.0'])).toBe('1: First.');
  expect(problemAt(problems, 'config.server', ['config.server.hosts'])).toBeUndefined();
});
