import { expect, test } from 'vitest';
import { newJobOf } from './new-job.ts';

for (const [payload, job] of [
  ['', { type: 'say' }],
  [' {"message": "Hello"} ', { type: 'say', payload: { message: 'Hello' } }],
  ['null', { type: 'say', payload: null }],
] as const) {
  test(`a task with the payload "${payload}" is queued`, () => {
    expect(newJobOf({ type: 'say', payload })).toEqual({ job });
  });
}

for (const payload of ['{', "{'a': 1}", '[9007199254740993]']) {
  test(`the payload ${payload} is rejected with a reason`, () => {
    expect(() => newJobOf({ type: 'say', payload })).toThrow(/JSON|digits/);
  });
}
