import { expect, test } from 'vitest';
import { addressOf } from './path-params.ts';

test('a path names a project by id or as @current', () => {
  expect(addressOf({ project_id: '7', id: '9007199254740991' })).toEqual({
    project: 7,
    recordId: 9007199254740991,
    administered: null,
    itemId: null,
    revision: null,
  });
  expect(addressOf({ project_id: '@current', plugin_config_id: '01' })).toMatchObject({
    project: 'current',
    recordId: 1,
  });
});

test('a missing project is undefined, a malformed one null', () => {
  expect(addressOf({}).project).toBeUndefined();
  expect(addressOf({ project_id: '' }).project).toBeNull();
});

test('a path names a key, or a plugin whose id fits four bytes', () => {
  expect(addressOf({ key_id: '9007199254740991' })).toMatchObject({ administered: 9007199254740991 });
  expect(addressOf({ plugin_id: '2147483647' })).toMatchObject({ administered: 2147483647 });
  expect(addressOf({ plugin_id: '2147483648' })).toMatchObject({ administered: null });
});

test('the id of a job or an entry is a UUID in either case', () => {
  const itemId = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
  expect(addressOf({ job_id: itemId.toUpperCase() })).toMatchObject({ itemId });
  expect(addressOf({ entry_id: itemId.toUpperCase() })).toMatchObject({ itemId });
});

test.each([
  [{ project_id: '0', id: '1' }, 'project'],
  [{ project_id: '@other', id: '1' }, 'project'],
  [{ project_id: '', id: '1' }, 'project'],
  [{ project_id: '1', id: 'abc' }, 'recordId'],
  [{ project_id: '1', id: '9007199254740992' }, 'recordId'],
  [{ project_id: '1', id: '-1' }, 'recordId'],
  [{ project_id: '1', id: '1', job_id: 'x' }, 'itemId'],
  [{ project_id: '1', id: '1', revision: '0' }, 'revision'],
] as const)('in %j, the malformed %s is null', (params, part) => {
  expect(addressOf(params)).toMatchObject({ [part]: null });
});
