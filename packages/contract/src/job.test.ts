import { describe, expect, test } from 'vitest';
import { jobBody } from './job.ts';
import { validate } from './validate.ts';

describe('the body of a job request', () => {
  test('contains the fields to change', () => {
    expect(validate(jobBody, { enabled: true, id: 5, config: '{}' }).value).toEqual({ enabled: true });
  });

  test('may be empty', () => {
    expect(validate(jobBody, {}).value).toEqual({});
  });

  test.each([
    [{ enabled: null }, 'null', 'enabled'],
    [{ job: {} }, 'required', 'job.type'],
    [{ job: { type: null } }, 'null', 'job.type'],
    [{ job: { type: '' } }, 'blank', 'job.type'],
    [{ job: { type: 5 } }, 'invalid_input', 'job.type'],
    [{ job: { type: 'x'.repeat(201) } }, 'max_length', 'job.type'],
    [{ job: { type: 'x', payload: {}, operation: 'start' } }, 'invalid_input', 'job.type'],
    [{ job: 'x' }, 'invalid_input', 'job'],
    [{ job: null }, 'null', 'job'],
    [{ job: { type: 'x' }, enabled: true }, 'invalid_input', 'job.type'],
    [{ config: { host: 'a.example' } }, 'invalid_input', 'config'],
  ])('%j is rejected as %s at %s', (body, code, attr) => {
    expect(validate(jobBody, body).error).toMatchObject({ code, attr });
  });
});
