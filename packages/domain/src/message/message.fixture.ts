import type { DeliveryMessage, EntryMessage, ErrorMessage, MessageOrigin } from './message.ts';

export const ORIGIN: MessageOrigin = {
  channel: 'http',
  receivedAt: new Date(5),
  streamTime: null,
  projectIds: [],
  pluginIds: [],
  owner: 'project 3',
  deadLetterId: null,
};

const ABOUT_A_RECORD = {
  text: '{}',
  origin: ORIGIN,
  recordId: 42,
  projectId: null,
  plugin: null,
  timestamp: 4,
};

export const ENTRY: EntryMessage = {
  ...ABOUT_A_RECORD,
  kind: 'log',
  id: '0197a3f0-1111-7222-8333-944455556666',
  source: 'PLUGIN',
  type: 'LOG',
  message: 'Loaded',
  instanceId: '0197a3f0-1111-7222-8333-944455557777',
};

export const DELIVERY: DeliveryMessage = {
  ...ABOUT_A_RECORD,
  kind: 'delivery',
  id: '0197a3f0-1111-7222-8333-944455558888',
  successes: 1,
  successesOnRetry: 0,
  failures: 0,
  failed: [],
};

export const ERROR: ErrorMessage = { ...ABOUT_A_RECORD, kind: 'error', error: 'broken', position: 7 };
