import type {
  DeadMessage,
  DeliveryMessage,
  EntryMessage,
  ErrorMessage,
  MessageOrigin,
} from '@plugin-config/domain';
import { seededRandomness } from './seeded-randomness.ts';
import { MOMENT } from './an-author.ts';

const { uuid } = seededRandomness(77);
const INSTANCE_ID = '0197a3f0-1111-7222-8333-944455556666';

export function anOrigin(given: Partial<MessageOrigin> = {}): MessageOrigin {
  return {
    channel: 'http',
    receivedAt: MOMENT,
    streamTime: null,
    projectIds: [],
    pluginIds: [],
    owner: 'account 1',
    deadLetterId: null,
    ...given,
  };
}

interface About {
  readonly id: number;
}

const about = ({ id }: About) => ({
  origin: anOrigin(),
  recordId: id,
  projectId: null,
  plugin: null,
  timestamp: MOMENT.getTime(),
});

/** Creates an entry with a new id. */
export function anEntry(record: About, given: Partial<EntryMessage> = {}): EntryMessage {
  return {
    kind: 'log',
    text: '{"message":"Delivered"}',
    ...about(record),
    id: uuid(),
    source: 'PLUGIN',
    type: 'LOG',
    message: 'Delivered',
    instanceId: INSTANCE_ID,
    ...given,
  };
}

export function aDelivery(record: About, given: Partial<DeliveryMessage> = {}): DeliveryMessage {
  return {
    kind: 'delivery',
    text: '{"kind":"delivery"}',
    ...about(record),
    id: uuid(),
    successes: 1,
    successesOnRetry: 0,
    failures: 0,
    failed: [],
    ...given,
  };
}

let position = 0;

/** Creates an error report with a higher position than all before. */
export function anErrorReport(
  record: About,
  error: string | null,
  given: Partial<ErrorMessage> = {},
): ErrorMessage {
  return {
    kind: 'error',
    text: '{"kind":"error"}',
    ...about(record),
    position: ++position,
    error,
    ...given,
  };
}

export function aDeadMessage(given: Partial<DeadMessage> = {}): DeadMessage {
  return {
    kind: 'dead',
    reason: 'not_json',
    recordId: null,
    text: 'not JSON',
    origin: anOrigin(),
    position: 0,
    ...given,
  };
}
