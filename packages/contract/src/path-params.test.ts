import { expect, test } from 'vitest';
import { jobParams, recordParams } from './path-params.ts';
import { validate } from './validate.ts';

test('a path names its project by id or as @current', () => {
  expect(validate(recordParams, { project_id: '7', id: '9007199254740991' }).value).toEqual({
    project_id: 7,
    id: 9007199254740991,
  });
  expect(validate(recordParams, { project_id: '@current', id: '1' }).value).toEqual({
    project_id: 'current',
    id: 1,
  });
});

test.each([
  [{ project_id: '0', id: '1', job_id: 'x' }, 'project_id'],
  [{ project_id: '@other', id: '1', job_id: 'x' }, 'project_id'],
  [{ project_id: '', id: '1', job_id: 'x' }, 'project_id'],
  [{ project_id: '1', id: 'abc', job_id: 'x' }, 'id'],
  [{ project_id: '1', id: '9007199254740992', job_id: 'x' }, 'id'],
  [{ project_id: '1', id: '-1', job_id: 'x' }, 'id'],
  [{ project_id: '1', id: '1', job_id: 'x' }, 'job_id'],
])('%j addresses nothing', (params, attr) => {
  expect(validate(jobParams, params).error).toMatchObject({ attr });
});
