import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, holdRequests, openSignedIn } from '../testing/console-page.ts';
import { fillFamily } from '../testing/fill-family.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();

/** Creates a family whose nth record attaches plugin n, and opens its page. */
async function openFamily(records: number) {
  const tenant = await service().tenant();
  await fillFamily(service(), tenant, { records });
  return { tenant, page: await openPipeline(tenant) };
}

async function openPipeline(tenant: Tenant): Promise<Page> {
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  await rowOf(page, 1).waitFor();
  return page;
}

const rowOf = (page: Page, plugin: number) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: `Plugin ${plugin}`, exact: true }) });
const handleOf = (page: Page, plugin: number) => rowOf(page, plugin).getByRole('button', { name: /^Move/ });

async function shownOrder(page: Page): Promise<readonly number[]> {
  const cells = await page.locator('[data-id] .plugin').allInnerTexts();
  return cells.map((text) => Number(text.replace('Plugin ', '')));
}

async function storedOrder(tenant: Tenant): Promise<readonly number[]> {
  const records = await Array.fromAsync(tenant.pluginConfigs.list());
  return records.map(({ plugin }) => plugin);
}

async function expectOrder(page: Page, tenant: Tenant, order: readonly number[]): Promise<void> {
  await expect.poll(async () => storedOrder(tenant)).toEqual(order);
  await expect.poll(async () => shownOrder(page)).toEqual(order);
}

test(
  'a record is moved from position 900 to 3 by keyboard alone and keeps the focus',
  { tags: ['long'] },
  async () => {
    const { page, tenant } = await openFamily(1000);
    const { results } = await tenant.pluginConfigs.list({ plugin: 900 }).page();
    await tenant.pluginConfigs.update(results[0]?.id ?? 0, { name: 'Nine hundred' });
    await page.getByLabel('Search').focus();
    await page.keyboard.type('nine hundred');
    await expect.poll(async () => shownOrder(page)).toEqual([900]);
    await tabTo(page, 'Move Nine hundred');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.type('3');
    await page.getByText('Between').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Moved Nine hundred to position 3').waitFor();
    expect((await storedOrder(tenant)).slice(0, 4)).toEqual([1, 2, 900, 3]);
    expect(await focused(page)).toBe('Move Nine hundred');
  },
);

test(
  'a record that is moved out of sight is scrolled into view with the focus',
  { tags: ['long'] },
  async () => {
    const { page, tenant } = await openFamily(300);
    await handleOf(page, 2).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move to bottom' }).click();
    await expect.poll(async () => (await storedOrder(tenant)).at(-1)).toBe(2);
    await expect.poll(async () => (await shownOrder(page)).at(-1)).toBe(2);
    const isInSight = `(() => {
    const list = document.querySelector('.record-rows').getBoundingClientRect();
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return list.top <= top && bottom <= list.bottom;
  })()`;
    await expect.poll(async () => page.evaluate(isInSight)).toBe(true);
    expect(await page.evaluate(`document.activeElement.closest('[role=row]').innerText`)).toContain(
      'Plugin 2',
    );
  },
);

test('each Alt+arrow press moves a record, even if they outpace the rendering, and each move can be undone', async () => {
  const { page, tenant } = await openFamily(5);
  await handleOf(page, 1).focus();
  await page.evaluate(`for (let i = 0; i < 3; i++) {
    const key = { key: 'ArrowDown', altKey: true, bubbles: true };
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));
  }`);
  await expectOrder(page, tenant, [2, 3, 4, 1, 5]);
  await page.getByText('to position 4').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectOrder(page, tenant, [2, 3, 1, 4, 5]);
});

test('Ctrl Z undoes a move, but not while a field has the focus', { tags: ['long'] }, async () => {
  const { page, tenant } = await openFamily(5);
  await handleOf(page, 1).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expectOrder(page, tenant, [2, 1, 3, 4, 5]);
  await page.getByText('to position 2').waitFor();
  await page.getByLabel('Search').press('Control+z');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await handleOf(page, 1).press('Control+z');
  await expectOrder(page, tenant, [1, 2, 3, 4, 5]);
});

test('the menu moves a record up, down, to the top and to the bottom', { tags: ['long'] }, async () => {
  const { page, tenant } = await openFamily(4);
  for (const [item, order] of [
    ['Move down', [1, 3, 2, 4]],
    ['Move to top', [2, 1, 3, 4]],
    ['Move to bottom', [1, 3, 4, 2]],
    ['Move up', [1, 3, 2, 4]],
  ] as const) {
    await handleOf(page, 2).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await expectOrder(page, tenant, order);
  }
  await handleOf(page, 2).click();
  await expectAccessible(page);
});

test('a record is dragged next to another', async () => {
  const { page, tenant } = await openFamily(6);
  await handleOf(page, 5).dragTo(rowOf(page, 2), { targetPosition: { x: 200, y: 5 } });
  await expectOrder(page, tenant, [1, 5, 2, 3, 4, 6]);
  await handleOf(page, 1).dragTo(rowOf(page, 6), { targetPosition: { x: 200, y: 40 } });
  await expectOrder(page, tenant, [5, 2, 3, 4, 6, 1]);
});

test('records that look alike can be moved', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const ids = [
    await tenant.attach(1),
    await tenant.attach(9),
    await tenant.attach(9),
    await tenant.attach(2),
  ];
  const page = await openPipeline(tenant);
  await page.getByRole('button', { name: `Move Record ${ids[1]}` }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText(`Moved Record ${ids[1]} to position 3, after Record ${ids[2]}.`).waitFor();
  const stored = await Array.fromAsync(tenant.pluginConfigs.list());
  expect(stored.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1], ids[3]]);
});

test(
  'a move is rejected if the order has changed, and shows the current order and who changed it',
  { tags: ['long'] },
  async () => {
    const { page, tenant } = await openFamily(5);
    const release = await holdRequests(page, '**/plugin_configs?*');
    await tenant.pluginConfigs.rearrange({ plugin: 5, order: 1 });
    await handleOf(page, 1).focus();
    const rejected = page.waitForResponse((response) => response.status() === 412);
    await page.keyboard.press('Alt+ArrowDown');
    await rejected;
    release();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain(`the order was changed by key of project ${tenant.projectId}.`);
    await expectOrder(page, tenant, [5, 1, 2, 3, 4]);
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expectOrder(page, tenant, [5, 2, 1, 3, 4]);
  },
);

test(
  'two browsers that move records concurrently both end up with the order of the service',
  { tags: ['long'] },
  async () => {
    const { page: one, tenant } = await openFamily(8);
    const other = await openPipeline(tenant);
    await Promise.all([
      (async () => {
        await handleOf(one, 1).focus();
        for (let i = 0; i < 6; i++) await one.keyboard.press('Alt+ArrowDown');
      })(),
      (async () => {
        await handleOf(other, 8).focus();
        for (let i = 0; i < 6; i++) await other.keyboard.press('Alt+ArrowUp');
      })(),
    ]);
    for (const page of [one, other]) await page.locator('[role=table][aria-busy=false]').waitFor();
    for (const page of [one, other])
      await expect
        .poll(async () => ({ shown: await shownOrder(page), stored: await storedOrder(tenant) }))
        .toSatisfy(({ shown, stored }) => isDeepStrictEqual(shown, stored));
    expect((await storedOrder(tenant)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  },
);

async function focused(page: Page): Promise<string | null> {
  return page.evaluate(`document.activeElement.getAttribute('aria-label')`);
}

async function tabTo(page: Page, label: string): Promise<void> {
  for (let i = 0; i < 20 && (await focused(page)) !== label; i++) await page.keyboard.press('Tab');
  expect(await focused(page)).toBe(label);
}
