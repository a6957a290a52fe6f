import { expect, test } from 'vitest';
import { keepCalling } from '../testing/keep-calling.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const SIZE = 200_000;
const HEAD = 'format: 1\nmanager: team\nplugin_configs:\n';
/** Texts that take the parser long, or much memory, and a whole document. */
const TEXTS = [
  `[${','.repeat(SIZE)}`,
  '['.repeat(SIZE),
  '"'.repeat(SIZE),
  '- !x 1\n'.repeat(SIZE / 7),
  HEAD + Array.from({ length: 2_000 }, (_, n) => `  - key: k${n}\n    plugin: 7\n`).join(''),
];

const running = serviceOfFile();

test('endless documents as YAML, also malicious ones, harm no neighbour', async () => {
  const service = running();
  const tenant = await service.tenant();
  const other = await neighbour(await service.tenant());
  const headers = { 'content-type': 'application/yaml' };
  const statuses = await keepCalling(10, async (n) => {
    const text = TEXTS[n % TEXTS.length] ?? '';
    return (await tenant.call('POST', '/configuration/plan', text, headers)).status;
  });
  await other.expectUnharmed();
  expect([...statuses.keys()].filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(0);
  const { status } = await tenant.call('POST', '/configuration/plan', TEXTS.at(-1), headers);
  expect(status).toBe(200);
});
