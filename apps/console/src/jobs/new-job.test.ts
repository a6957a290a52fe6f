import { expect, test } from 'vitest';
import { newJobOf, type JobDraft } from './new-job.ts';

const EMPTY: JobDraft = { kind: 'change', enabled: '', name: '', description: '', type: '', payload: '' };

for (const [title, draft, job] of [
  ['an empty draft changes nothing', {}, {}],
  ['filled-in fields are changed', { enabled: 'false', name: 'GeoIP' }, { enabled: false, name: 'GeoIP' }],
  ['a description is changed', { description: 'a\nb' }, { description: 'a\nb' }],
  ['a task without a payload', { kind: 'task', type: 'say', name: 'ignored' }, { job: { type: 'say' } }],
  [
    'a task with a payload',
    { kind: 'task', type: 'say', payload: ' {"message": "Hello"} ' },
    { job: { type: 'say', payload: { message: 'Hello' } } },
  ],
  [
    'a payload may be null',
    { kind: 'task', type: 'say', payload: 'null' },
    { job: { type: 'say', payload: null } },
  ],
] as const) {
  test(title, () => {
    expect(newJobOf({ ...EMPTY, ...draft })).toEqual({ job });
  });
}

for (const draft of [
  { kind: 'task' },
  { kind: 'task', type: 'say', payload: '{' },
  { kind: 'task', type: 'say', payload: "{'a': 1}" },
  { kind: 'task', type: 'say', payload: '[9007199254740993]' },
] as const) {
  test(`${JSON.stringify(draft)} is rejected with a reason`, () => {
    expect(newJobOf({ ...EMPTY, ...draft })).toEqual({
      problem: expect.stringMatching(/type|JSON|digits/) as string,
    });
  });
}
