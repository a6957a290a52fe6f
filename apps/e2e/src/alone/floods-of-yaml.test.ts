import { expect, test } from 'vitest';
import { keepCalling } from '../testing/keep-calling.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const SIZE = 200_000;
const HEAD = 'format: 1\nmanager: team\nplugin_configs:\n';
const SMALL = `${HEAD}  - key: geoip\n    plugin: 7\n`;
const WHOLE = HEAD + Array.from({ length: 2_000 }, (_, n) => `  - key: k${n}\n    plugin: 7\n`).join('');
/** Texts that take the parser long, or much memory, and a whole document. */
const TEXTS = [
  `[${','.repeat(SIZE)}`,
  '['.repeat(SIZE),
  '"'.repeat(SIZE),
  '- !x 1\n'.repeat(SIZE / 7),
  WHOLE,
];

const running = serviceOfFile();

const plan = ({ call }: Tenant, text: string) =>
  call('POST', '/configuration/plan', text, { 'content-type': 'application/yaml' });

test('endless documents as YAML, also malicious ones, harm no neighbour, nor its documents', async () => {
  const service = running();
  const [tenant, beside] = [await service.tenant(), await service.tenant()];
  const other = await neighbour(beside);
  const flood = { isOver: false };
  const plans = repeat(flood, async () => (await plan(beside, SMALL)).status);
  const statuses = await keepCalling(10, async (n) => {
    const text = TEXTS[n % TEXTS.length] ?? '';
    return (await plan(tenant, text)).status;
  });
  flood.isOver = true;
  expect(new Set(await plans)).toEqual(new Set([200]));
  await other.expectUnharmed();
  expect([...statuses.keys()].filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
  // Afterwards, each text is answered by what it is: on a slow machine, the flood may be answered by 503 alone.
  for (const text of TEXTS) expect((await plan(tenant, text)).status).toBe(text === WHOLE ? 200 : 400);
});

async function repeat<T>(flood: { readonly isOver: boolean }, work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  while (!flood.isOver) results.push(await work());
  return results;
}
