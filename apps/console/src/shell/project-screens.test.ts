import { expect, test } from 'vitest';
import { projectScreens } from './project-screens.ts';

const FAMILIES = ['plugin_configs', 'pipeline_transformation_configs'] as const;
const READ = ['', ...FAMILIES, 'incidents', 'alerts', 'dead-letters', 'documents'];

test.for([
  ['writes', { mayRead: true, mayWrite: true }, READ.toSpliced(5, 0, 'webhooks')],
  ['reads', { mayRead: true, mayWrite: false }, READ],
  ['only configures', { mayRead: false, mayWrite: false }, FAMILIES],
] as const)('a user who %s is offered the screens that open', ([, rights, parts]) => {
  expect(projectScreens(rights, FAMILIES).map(([part]) => part)).toEqual(parts);
});

test('families that are hidden have no screen', () => {
  const screens = projectScreens({ mayRead: true, mayWrite: false }, ['plugin_configs']);
  expect(screens.map(([part]) => part)).toEqual(READ.filter((part) => part !== FAMILIES[1]));
});
