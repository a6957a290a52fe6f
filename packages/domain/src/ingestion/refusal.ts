import { FAMILY, type RecordRef } from '../project/family.ts';
import type { DeadReason } from '../message/dead-reason.ts';
import type { LiveMessage } from '../message/message.ts';

/** Whose record it is, as the store knows it. */
export interface Owner extends Omit<RecordRef, 'id'> {
  readonly plugin: number;
}

/** Why a message can have no place with the record that it names; null where it has. */
export function refusal(message: LiveMessage, owner: Owner | undefined): DeadReason | null {
  if (owner === undefined) return 'unknown_plugin_config';
  const { projectIds } = message.origin;
  if (projectIds.length > 0 && !projectIds.includes(owner.projectId)) return 'wrong_project';
  if (message.projectId !== null && message.projectId !== owner.projectId) return 'wrong_team_id';
  if (message.plugin !== null && message.plugin !== owner.plugin) return 'wrong_plugin_id';
  return message.kind === 'log' && !FAMILY[owner.family].hasLog ? 'no_log' : null;
}
