import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const GUIDE = read('docs/runtimes/all-projects.md') + read('docs/runtimes/jobs.md');

/** Returns the Python code of the guide that contains a text. */
function guideCode(part: string): string {
  const blocks = [...GUIDE.matchAll(/^```python\n(?<code>.*?)^```$/gms)].map(
    ({ groups }) => groups?.['code'] ?? '',
  );
  return blocks.find((code) => code.includes(part)) ?? '';
}

/** Removes a function and the empty lines after it. */
const without = (code: string, name: string): string =>
  code.replace(new RegExp(`^def ${name}\\(.*?\\n\\n(?=\\S)`, 'ms'), '');

test('the host in Python is the code of the guide, with another apply', () => {
  const code = without(guideCode('/instances/'), 'apply');
  expect(read('examples/host-python/host.py')).toBe(
    `import jobs; jobs.start()\nfrom plugin import apply\n${code}`,
  );
});

test('its jobs are the code of the guide, with other handlers', () => {
  const code = without(without(guideCode('/claim'), 'replay'), 'check');
  expect(read('examples/host-python/jobs.py')).toBe(`from plugin import check, replay\n${code}`);
});
