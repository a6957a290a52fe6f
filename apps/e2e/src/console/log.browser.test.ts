import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();

const NEWEST = '.log-list li:last-child .log-message';

async function write(tenant: Tenant, id: number, messages: readonly string[], type = 'INFO'): Promise<void> {
  await tenant.push(messages.map((message) => ({ plugin_config_id: id, type, message })));
}

async function openLog(tenant: Tenant, id: number, query = ''): Promise<Page> {
  const { page } = await openRecord(browser(), tenant, id, `/logs${query}`);
  return page;
}

const texts = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `Entry ${from + index}.`);

const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))';

/** Scrolls down until a row with this message is rendered. */
async function scrollTo(page: Page, message: string): Promise<void> {
  await page.evaluate(`(async () => {
    const list = document.querySelector('.log-list');
    while (!list.innerText.includes(${JSON.stringify(message)})) {
      list.scrollTop += 300;
      await ${NEXT_FRAME};
    }
  })()`);
}

/**
 * Turns the wheel until the log shows this status. On a busy page a single turn may be handled too late to count as
 * scrolling by the user.
 */
async function scrollUntil(page: Page, by: number, status: string): Promise<void> {
  const turn = async (): Promise<number> => {
    await page.mouse.wheel(0, by);
    return page.getByRole('status').getByText(status).count();
  };
  await expect.poll(turn).toBe(1);
}

/** Returns the messages of all rows by scrolling through them. */
async function allMessages(page: Page): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Pause' }).click();
  return page.evaluate<readonly string[]>(`(async () => {
    const list = document.querySelector('.log-list');
    const found = new Map();
    list.scrollTop = 0;
    for (;;) {
      await ${NEXT_FRAME};
      for (const row of list.querySelectorAll('.log-row')) {
        found.set(row.dataset.id, row.querySelector('.log-message').textContent);
      }
      if (list.scrollTop + list.clientHeight >= list.scrollHeight - 2) return [...found.values()];
      list.scrollTop += list.clientHeight / 2;
    }
  })()`);
}

test('a log is followed and filtered, and an empty log says what to do', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const page = await openLog(tenant, id);
  await page.getByText('No log entries yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('status').getByText('Following').waitFor();
  await write(tenant, id, texts(0, 30));
  await write(tenant, id, ['The disk is full', `A long one: ${'word '.repeat(600)}`], 'ERROR');
  await page.getByText('The disk is full').waitFor();
  await expectAccessible(page);

  await page.getByLabel('Search messages').fill('entry 2');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await page.getByText('The disk is full').waitFor({ state: 'detached' });
  await page.getByText('Entry 29.').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?search=entry+2');
  await write(tenant, id, ['Entry 200.', 'Another', 'Entry 201.']);
  await page.getByText('Entry 201.').waitFor();
  expect(await page.getByText('Another', { exact: true }).count()).toBe(0);
  await page.getByRole('checkbox', { name: 'ERROR' }).click();
  await page.getByText('No entries match the filters').waitFor();
  await page.goBack();
  await page.getByText('Entry 201.').waitFor();
  expect(await page.getByRole('checkbox', { name: 'ERROR' }).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('Another', { exact: true }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await (await saved).createReadStream();
  const lines = (await Array.fromAsync(file)).join('').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message.slice(0, 8))).toHaveLength(35);
});

test(
  'the histogram shows entries by hour and type, and clicking a bar narrows the time',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    const old = new Date(Date.now() - 5 * 3_600_000).toISOString();
    await tenant.push([
      { plugin_config_id: id, type: 'ERROR', message: 'An old entry', timestamp: old },
      { plugin_config_id: id, type: 'INFO', message: 'Beside it', timestamp: old },
      { plugin_config_id: id, type: 'INFO', message: 'A new entry' },
    ]);
    const page = await openLog(tenant, id);
    const bars = page.getByRole('list', { name: 'Entries over time' });
    const bar = bars.getByRole('button', { name: '2 entries (1 ERROR, 1 INFO)' });
    await bar.waitFor();
    await expectAccessible(page);
    await bar.click();
    await page.getByText('A new entry').waitFor({ state: 'detached' });
    await page.getByText('An old entry').waitFor();
    await expect.poll(() => bars.getByRole('button').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('from')).toBe(`${old.slice(0, 13)}:00:00.000Z`);
  },
);

test('a paused log counts new entries, and shows them when resumed', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 200));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 199.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await write(tenant, id, texts(200, 230));
  await page.getByText('+30 new').waitFor();
  await page.getByRole('status').getByText('Paused').waitFor();
  expect(await page.getByText('Entry 229.').count()).toBe(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Entry 229.').waitFor();

  await page.locator('.log-list').hover();
  await scrollUntil(page, -2000, 'Paused');
  await write(tenant, id, texts(230, 235));
  await page.getByText('+5 new').waitFor();
  await scrollUntil(page, 50_000, 'Following');
  await page.getByText('Entry 234.').waitFor();
  expect(await allMessages(page)).toEqual(texts(0, 235));
});

test('a service restart leaves no gaps or duplicates in an open log', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 20));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 19.').waitFor();
  await service().end('http');
  await page.getByText('Connection lost').first().waitFor();
  await write(tenant, id, texts(20, 60));
  await service().restart('http');
  await page.getByText('Entry 59.').waitFor();
  await write(tenant, id, texts(60, 80));
  await page.getByText('Entry 79.').waitFor();
  expect(await allMessages(page)).toEqual(texts(0, 80));
});

test('older entries are loaded by scrolling, and a link opens its entry', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 1500));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 1499.').waitFor();
  await page.getByRole('region', { name: 'Log entries' }).focus();
  const first = page.getByText('Entry 0.', { exact: true });
  const pressHome = async (): Promise<number> => {
    await page.keyboard.press('Home');
    return first.count();
  };
  await expect.poll(pressHome).toBe(1);
  await page.getByText('Beginning of the log').waitFor();
  const row = page.locator('.log-row').filter({ hasText: 'Entry 110.' });
  await scrollTo(page, 'Entry 110.');
  // Not by click, which could hit another row while rows move to their measured positions.
  await row.getByRole('link').press('Enter');
  await page.getByText('Linked entry Entry 110.').waitFor();
  await expectAccessible(page);
  const address = page.url();
  await page.reload();
  await page.getByText('Linked entry Entry 110.').waitFor();
  expect(page.url()).toBe(address);
  expect(await page.locator(NEWEST).innerText()).not.toContain('Entry 1499.');
  const onlyId = new URL(address);
  onlyId.searchParams.delete('at');
  await page.goto(onlyId.href);
  await page.getByText('Linked entry Entry 110.').waitFor();
  expect(page.url()).toBe(address);
  await page.getByRole('link', { name: 'Jump to latest' }).click();
  await page.getByText('Entry 1499.').waitFor();
});

test(
  'a log jumps to a time, and shows each entry on one line if the user wants',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    const start = Date.now() - 300 * 60_000;
    const timeOf = (entry: number): string => new Date(start + entry * 60_000).toISOString();
    await tenant.push(
      texts(0, 300).map((message, entry) => ({ plugin_config_id: id, timestamp: timeOf(entry), message })),
    );
    const page = await openLog(tenant, id, `?around=${timeOf(100)}`);
    await page.getByText('Entry 100.', { exact: true }).waitFor();
    await page.getByText('Showing entries around').waitFor();
    expect(await page.getByText('Entry 299.').count()).toBe(0);
    await page.getByRole('radio', { name: 'One line per entry' }).check();
    const whiteSpace = `getComputedStyle(document.querySelector('.log-message')).whiteSpace`;
    await expect.poll(async () => page.evaluate<string>(whiteSpace)).toBe('pre');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Jump to latest' }).click();
    await page.getByText('Entry 299.').waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Jump to', { exact: true }).fill(timeOf(50).slice(0, 16));
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('around')).not.toBeNull();
  },
);

test('older entries are loaded when a key jumps to the start of the list', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 700));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 699.').waitFor();
  const first = page.getByText('Entry 0.', { exact: true });
  const jump = async (): Promise<number> => {
    await page.evaluate(`(() => {
      const list = document.querySelector('.log-list');
      list.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
      list.scrollTop = 0;
    })()`);
    return first.count();
  };
  await expect.poll(jump).toBe(1);
});

test('a short log resumes when scrolled to its end', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 35));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 34.').waitFor();
  await page.locator('.log-list').hover();
  await scrollUntil(page, -2000, 'Paused');
  await scrollUntil(page, 50_000, 'Following');
});

test('a failed load of older entries can be retried', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, texts(0, 700));
  const page = await openLog(tenant, id);
  await page.getByText('Entry 699.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.route('**/logs?*', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('button', { name: 'Load older entries' }).click();
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/logs?*');
  await again.click();
  await page.getByText('Beginning of the log').waitFor();
});

test('filtering keeps the focus, and the fields follow the address', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, ['Something']);
  const page = await openLog(tenant, id);
  await page.getByText('Something').waitFor();
  await page.getByText('More filters').click();
  const types = page.getByRole('checkbox', { name: 'ERROR' });
  await types.focus();
  await page.keyboard.press('Space');
  await page.getByText('No entries match the filters').waitFor();
  expect(await page.evaluate('document.activeElement.value')).toBe('ERROR');
  expect(await page.getByLabel('Instance').isVisible()).toBe(true);
  await page.goBack();
  await page.getByText('Something').waitFor();
  expect(await types.isChecked()).toBe(false);
});

test('errors are explained, and the filters stay', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await write(tenant, id, ['Something']);
  const page = await openLog(tenant, id, '?from=yesterday&search=some');
  await page.getByRole('alert').getByText('ISO 8601').waitFor();
  expect(await page.getByLabel('Search messages').inputValue()).toBe('some');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('Something').waitFor();
  const logs = new URL(page.url()).pathname;
  const unknown = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
  await page.goto(`${tenant.api}${logs}?entry=${unknown}`);
  await page.getByRole('alert').waitFor();
  await page.goto(`${tenant.api}${logs}?entry=${unknown}&at=${new Date().toISOString()}`);
  await page.getByText('The linked entry was not found').waitFor();
  await page.getByText('Something').waitFor();
  const transformation = await tenant.pipelineTransformationConfigs.create({ plugin: 7 });
  const family = `${tenant.api}/console/projects/${tenant.projectId}/pipeline_transformation_configs`;
  await page.goto(`${family}/${transformation.id}/logs`);
  await page.getByText('Not available for transformations').waitFor();
});
