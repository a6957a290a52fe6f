import { expect, test } from 'vitest';
import { idIn, parsePathIds, pluginIn, uuidIn } from './path-params.ts';

test('a path names a project by id or as @current', () => {
  expect(parsePathIds({ project_id: '7', id: '9007199254740991' })).toEqual({
    project: 7,
    recordId: 9007199254740991,
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

test('a path names a key, or a plugin by its slug or an id that fits in four bytes', () => {
  expect(idIn({ key_id: '9007199254740991' }, 'key_id')).toBe(9007199254740991);
  expect(pluginIn({ plugin_id: '2147483647' })).toBe(2147483647);
  expect(pluginIn({ plugin_id: 'slug:geo-ip' })).toBe('slug:geo-ip');
  for (const text of [
    '2147483648',
    '0',
    '',
    'geoip',
    'slug:',
    'slug:GeoIP',
    'slug:-a',
    `slug:${'a'.repeat(64)}`,
  ])
    expect(pluginIn({ plugin_id: text })).toBeNull();
  expect(idIn({ revision: '0' }, 'revision')).toBeNull();
  expect(idIn({}, 'revision')).toBeNull();
});

test('the id of a job or an entry is a UUID in either case', () => {
  const id = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
  expect(uuidIn({ job_id: id.toUpperCase() }, 'job_id')).toBe(id);
  expect(uuidIn({ job_id: 'x' }, 'job_id')).toBeNull();
  expect(uuidIn({}, 'entry_id')).toBeNull();
});

test.each([
  [{ project_id: '0', id: '1' }, 'project'],
  [{ project_id: '@other', id: '1' }, 'project'],
  [{ project_id: '', id: '1' }, 'project'],
  [{ project_id: '1', id: 'abc' }, 'recordId'],
  [{ project_id: '1', id: '9007199254740992' }, 'recordId'],
  [{ project_id: '1', id: '-1' }, 'recordId'],
] as const)('in %j, the malformed %s is null', (params, part) => {
  expect(parsePathIds(params)).toMatchObject({ [part]: null });
});
