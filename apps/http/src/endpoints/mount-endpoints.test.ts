import { projectEndpoints } from '@plugin-config/contract';
import { expect, expectTypeOf, test } from 'vitest';
import type { EndpointCall, Handlers } from './handler.ts';

test('a group must have exactly the handlers of its endpoints', () => {
  type Group = Handlers<typeof projectEndpoints>;
  expectTypeOf<keyof Group>().toEqualTypeOf<keyof typeof projectEndpoints>();
  expectTypeOf<{ listProjects: () => void }>().not.toExtend<Group>();
  expect(Object.keys(projectEndpoints)).toEqual([
    'listProjects',
    'retrieveProject',
    'retrieveUsage',
    'listDeadLetters',
    'retrieveOverview',
  ]);
});

test('a handler only gets a record, a body or a precondition if its endpoint declares it', () => {
  type List = EndpointCall<(typeof projectEndpoints)['listProjects']>;
  expectTypeOf<List>().toHaveProperty('query');
  expectTypeOf<List>().not.toHaveProperty('record');
  expectTypeOf<List>().not.toHaveProperty('body');
  expectTypeOf<List>().not.toHaveProperty('precondition');
  expect(projectEndpoints.listProjects.needs).toBe('key');
});
