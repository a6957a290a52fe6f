import { storableText } from '../log/storable-text.ts';
import type { DeadReason } from './dead-reason.ts';
import type { EntryMessage, SourceMessage } from './message.ts';
import {
  optionalType,
  optionalUuid,
  optionalWord,
  readAddress,
  readTime,
  type Fields,
} from './read-fields.ts';
import type { MessageContext } from './message-context.ts';

const SOURCE = 'PLUGIN';
const TYPE = 'LOG';

export function readEntry(
  fields: Fields,
  sent: SourceMessage,
  context: MessageContext,
): EntryMessage | DeadReason {
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const { message } = fields;
  if (typeof message !== 'string') return 'invalid_message';
  const id = optionalUuid(fields['id']);
  if (id === undefined) return 'invalid_id';
  const timestamp = readTime(fields['timestamp'], id, sent.origin, context);
  if (typeof timestamp === 'string') return timestamp;
  const source = optionalWord(fields['source']);
  if (source === undefined) return 'invalid_source';
  const type = optionalType(fields['type']);
  if (type === undefined) return 'invalid_type';
  const instanceId = optionalUuid(fields['instance_id']);
  if (instanceId === undefined) return 'invalid_instance_id';
  return {
    kind: 'log',
    text: sent.text,
    origin: sent.origin,
    recordId: address.recordId,
    projectId: address.projectId,
    plugin: address.plugin,
    id: id ?? sent.newId?.() ?? context.newId(),
    timestamp,
    source: source ?? SOURCE,
    type: type ?? TYPE,
    message: storableText(message),
    instanceId: instanceId ?? context.instanceId,
  };
}
