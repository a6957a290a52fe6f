import type { LogEntry } from '@plugin-config/domain';
import { seededRandomness } from './seeded-randomness.ts';
import { MOMENT } from './an-author.ts';

const { uuid } = seededRandomness(78);
const INSTANCE_ID = '0197a3f0-1111-7222-8333-944455556666';

interface Of {
  readonly id: number;
  readonly projectId: number;
  readonly plugin?: number;
}

/** Creates an entry with a higher id than all before. */
export function aLogEntry({ id, projectId, plugin = 7 }: Of, given: Partial<LogEntry> = {}): LogEntry {
  return {
    id: uuid(),
    projectId,
    plugin,
    recordId: id,
    timestamp: MOMENT,
    source: 'SYSTEM',
    type: 'INFO',
    message: 'Started',
    instanceId: INSTANCE_ID,
    ...given,
  };
}
