import { expect, test } from 'vitest';
import { parsePathIds } from './path-params.ts';

test('a path names a project by id or as @current', () => {
  expect(parsePathIds({ project_id: '7', id: '9007199254740991' })).toEqual({
    project: 7,
    recordId: 9007199254740991,
    keyOrPluginId: null,
    jobOrEntryId: null,
    revision: null,
  });
  expect(parsePathIds({ project_id: '@current', plugin_config_id: '01' })).toMatchObject({
    project: 'current',
    recordId: 1,
  });
});

test('a missing project is undefined, a malformed one null', () => {
  expect(parsePathIds({}).project).toBeUndefined();
  expect(parsePathIds({ project_id: '' }).project).toBeNull();
});

test('a path names a key, or a plugin whose id fits in four bytes', () => {
  expect(parsePathIds({ key_id: '9007199254740991' })).toMatchObject({ keyOrPluginId: 9007199254740991 });
  expect(parsePathIds({ plugin_id: '2147483647' })).toMatchObject({ keyOrPluginId: 2147483647 });
  expect(parsePathIds({ plugin_id: '2147483648' })).toMatchObject({ keyOrPluginId: null });
});

test('the id of a job or an entry is a UUID in either case', () => {
  const jobOrEntryId = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
  expect(parsePathIds({ job_id: jobOrEntryId.toUpperCase() })).toMatchObject({ jobOrEntryId });
  expect(parsePathIds({ entry_id: jobOrEntryId.toUpperCase() })).toMatchObject({ jobOrEntryId });
});

test.each([
  [{ project_id: '0', id: '1' }, 'project'],
  [{ project_id: '@other', id: '1' }, 'project'],
  [{ project_id: '', id: '1' }, 'project'],
  [{ project_id: '1', id: 'abc' }, 'recordId'],
  [{ project_id: '1', id: '9007199254740992' }, 'recordId'],
  [{ project_id: '1', id: '-1' }, 'recordId'],
  [{ project_id: '1', id: '1', job_id: 'x' }, 'jobOrEntryId'],
  [{ project_id: '1', id: '1', revision: '0' }, 'revision'],
] as const)('in %j, the malformed %s is null', (params, part) => {
  expect(parsePathIds(params)).toMatchObject({ [part]: null });
});
