import { expect, test } from 'vitest';
import { addressOf } from './embed-address.ts';

test.for([
  ['/embed/12', '/embed/12', 12],
  ['/embed/12/projects/12/plugin_configs/3/logs', '/embed/12', 12],
  ['/embed/ext:acme-corp', '/embed/ext:acme-corp', 'ext:acme-corp'],
  ['/embed/ext%3Aacme-corp/projects/1', '/embed/ext%3Aacme-corp', 'ext:acme-corp'],
  ['/plugins/embed/7/', '/plugins/embed/7', 7],
  ['/embed/plugins/embed/7/projects/7', '/embed/plugins/embed/7', 7],
  ['/embed/acme', '/embed/acme', null],
] as const)('%s is the page at %s, of the project %s', ([path, base, project]) => {
  expect(addressOf(path)).toEqual({ base, project });
});
