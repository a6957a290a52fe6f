import type { RecordDraft } from '@plugin-config/domain';

export function aRecordDraft(given: Partial<RecordDraft> = {}): RecordDraft {
  return { plugin: 7, enabled: false, order: null, name: null, description: null, deleted: false, ...given };
}
