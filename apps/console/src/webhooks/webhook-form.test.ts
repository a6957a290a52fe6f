import type { Webhook, WebhookEvent } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { changeBetween } from '../editing/rebased.ts';
import { formOf, NEW_WEBHOOK, webhookOf, withEvent, type WebhookForm } from './webhook-form.ts';
import { attemptsText, EVENTS, eventsText } from './webhook-words.ts';

const STORED = {
  url: 'https://hooks.example.com/a',
  events: ['record.deleted', 'incident.opened'],
  plugin: null,
  enabled: true,
} as unknown as Webhook;

const changeOf = (before: WebhookForm, after: WebhookForm) =>
  changeBetween(webhookOf(before), webhookOf(after));

test('an untouched form changes nothing, whatever the order of its events', () => {
  const form = formOf(STORED);
  expect(changeOf(form, form)).toEqual({});
  const toggled = withEvent(withEvent(form, 'incident.opened', false), 'incident.opened', true);
  expect(changeOf(form, toggled)).toEqual({});
});

test('an edited form changes only what was edited', () => {
  const form = formOf(STORED);
  expect(changeOf(form, { ...form, enabled: false })).toEqual({ enabled: false });
  expect(changeOf(form, { ...form, url: ' https://hooks.example.com/b ' })).toEqual({
    url: 'https://hooks.example.com/b',
  });
  expect(changeOf(form, { ...form, plugin: '8' })).toEqual({ plugin: 8 });
  expect(changeOf({ ...form, plugin: '8' }, form)).toEqual({ plugin: null });
  expect(changeOf(form, withEvent(form, 'incident.closed', true))).toEqual({
    events: ['incident.opened', 'incident.closed', 'record.deleted'],
  });
});

test('a new webhook subscribes to the events of incidents', () => {
  expect(webhookOf({ ...NEW_WEBHOOK, url: 'https://hooks.example.com' })).toEqual({
    url: 'https://hooks.example.com',
    events: ['incident.opened', 'incident.closed'],
    plugin: null,
    enabled: true,
  });
});

test('events are listed, unless all of them are selected', () => {
  expect(eventsText(['incident.opened', 'record.deleted'])).toBe('incident.opened, record.deleted');
  expect(eventsText(Object.keys(EVENTS) as WebhookEvent[])).toBe('All events');
});

for (const [delivery, text] of [
  [{ attempts: 0, status: null, error: null }, 'waiting to be sent'],
  [{ attempts: 1, status: null, error: null }, '1 attempt, sending'],
  [{ attempts: 1, status: 204, error: null }, '1 attempt, status 204'],
  [{ attempts: 3, status: 503, error: 'The status is 503.' }, '3 attempts, status 503'],
  [{ attempts: 2, status: null, error: 'It took more than 15 s.' }, '2 attempts, no response'],
] as const) {
  test(`the attempts of a delivery read "${text}"`, () => {
    expect(attemptsText(delivery)).toBe(text);
  });
}
