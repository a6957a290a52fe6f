import { expect, test } from 'vitest';
import type { EntryMessage, LiveMessage } from '../message/message.ts';
import { refusal, type Owner } from './refusal.ts';

const OWNER: Owner = { projectId: 1, family: 'plugin_configs', plugin: 7 };
const PIPELINE: Owner = { ...OWNER, family: 'pipeline_transformation_configs' };
const ADDRESSED = {
  text: '',
  origin: { channel: 'http', receivedAt: new Date(0), streamTime: null, projectIds: [], deadLetterId: null },
  recordId: 42,
  projectId: null,
  plugin: null,
};
const ENTRY: EntryMessage = {
  ...ADDRESSED,
  kind: 'log',
  id: '',
  timestamp: 0,
  source: 'PLUGIN',
  type: 'LOG',
  message: '',
  instanceId: '',
};
const ERROR: LiveMessage = { ...ADDRESSED, kind: 'error', error: null, timestamp: 0, position: 0 };

function sentTo(projectIds: readonly number[]): EntryMessage {
  return { ...ENTRY, origin: { ...ENTRY.origin, projectIds } };
}

test('what contradicts nothing has its place', () => {
  for (const message of [ENTRY, { ...ENTRY, projectId: 1, plugin: 7 }, sentTo([3, 1]), ERROR]) {
    expect(refusal(message, OWNER)).toBeNull();
  }
});

test('a record that is not there has none', () => {
  expect(refusal(ENTRY, undefined)).toBe('unknown_plugin_config');
});

test('a sender that may not write to the project learns no more than that', () => {
  expect(refusal({ ...sentTo([2]), projectId: 2, plugin: 8 }, OWNER)).toBe('wrong_project');
});

test('what it says of its record must be so', () => {
  expect(refusal({ ...ENTRY, projectId: 2 }, OWNER)).toBe('wrong_team_id');
  expect(refusal({ ...ENTRY, plugin: 8 }, OWNER)).toBe('wrong_plugin_id');
});

test('pipeline transformations have errors and deliveries, but no log', () => {
  expect(refusal(ENTRY, PIPELINE)).toBe('no_log');
  expect(refusal(ERROR, PIPELINE)).toBeNull();
});
