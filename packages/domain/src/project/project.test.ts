import { expect, test } from 'vitest';
import { LABEL_MAX } from '../vocabulary/vocabulary.ts';
import { projectName } from './project.ts';

test('the name of a project is trimmed', () => {
  expect(projectName(' My project\n')).toBe('My project');
});

test('a project needs a name', () => {
  for (const text of ['', ' \n']) {
    expect(() => projectName(text)).toThrow(expect.objectContaining({ code: 'blank', attr: 'name' }));
  }
});

test('the name of a project has a maximum length', () => {
  const longest = '🚀'.repeat(LABEL_MAX);
  expect(projectName(longest)).toBe(longest);
  expect(() => projectName(`${longest}.`)).toThrow(
    expect.objectContaining({ code: 'max_length', attr: 'name' }),
  );
});
