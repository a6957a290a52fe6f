import { describe, expect, test } from 'vitest';
import { jobBody } from './job.ts';
import { renewBody } from './plugin-job.ts';
import { validate } from './validate.ts';

describe('the body of a job request', () => {
  test('contains the fields to change', () => {
    expect(validate(jobBody, { enabled: true, id: 5, config: '{}' }).value).toEqual({
      job: null,
      change: { enabled: true },
    });
  });

  test('may be empty', () => {
    expect(validate(jobBody, {}).value).toEqual({ job: null, change: {} });
    expect(validate(jobBody, { job: null }).value).toEqual({ job: null, change: {} });
  });

  test('contains a task for the plugin instead', () => {
    const job = { type: 'x', payload: { n: 1 }, operation: 'start' };
    expect(validate(jobBody, { job, id: 5, config: '{}' }).value).toEqual({ job, change: {} });
    expect(validate(jobBody, { job: { type: 'x' } }).value).toMatchObject({
      job: { type: 'x', payload: null, operation: null },
    });
  });

  test.each([
    [{ enabled: null }, 'null', 'enabled'],
    [{ job: {} }, 'required', 'job.type'],
    [{ job: { type: null } }, 'null', 'job.type'],
    [{ job: { type: '' } }, 'blank', 'job.type'],
    [{ job: { type: 5 } }, 'invalid_input', 'job.type'],
    [{ job: { type: 'x'.repeat(201) } }, 'max_length', 'job.type'],
    [{ job: 'x' }, 'invalid_input', 'job'],
    [{ job: { type: 'x' }, enabled: true }, 'invalid_input', 'job'],
    [{ config: { host: 'a.example' } }, 'invalid_input', 'config'],
  ])('%j is rejected as %s at %s', (body, code, attr) => {
    expect(validate(jobBody, body).error).toMatchObject({ code, attr });
  });
});

test.each([
  [2, 'Ensure this value is less than or equal to 1.'],
  [-1, 'Ensure this value is greater than or equal to 0.'],
  ['half', 'A valid number is required.'],
])('the progress %j of a job is rejected with its bounds', (progress, message) => {
  const { error } = validate(renewBody, { instance: 'shop-eu-1', progress });
  expect(error).toMatchObject({ message, attr: 'progress' });
});
