import { codePoints, type DeadLetter, type RetryOutcome } from '@plugin-config/domain';
import type { Columns } from '../table.ts';

const EXCERPT_LENGTH = 80;

export function presentDeadLetter(letter: DeadLetter): object {
  return {
    id: letter.id,
    received_at: letter.receivedAt,
    channel: letter.channel,
    owner: letter.owner,
    reason: letter.reason,
    projects: letter.projectIds,
    stream_time: letter.streamTime,
    text: letter.text,
    missing: letter.missing,
  };
}

export const DEAD_LETTER_COLUMNS: Columns<DeadLetter> = {
  ID: ({ id }) => id,
  RECEIVED: ({ receivedAt }) => receivedAt,
  CHANNEL: ({ channel }) => channel,
  OWNER: ({ owner }) => owner,
  REASON: ({ reason }) => reason,
  TEXT: ({ text, missing }) => excerpt(text, missing > 0),
};

function excerpt(text: string, isCut: boolean): string {
  if (codePoints(text) <= EXCERPT_LENGTH && !isCut) return text;
  return `${Array.from(text.slice(0, 2 * EXCERPT_LENGTH))
    .slice(0, EXCERPT_LENGTH)
    .join('')}…`;
}

type Retried = readonly [id: number, outcome: RetryOutcome];

export function presentOutcome([id, outcome]: Retried): object {
  return { id, outcome };
}

export const OUTCOME_COLUMNS: Columns<Retried> = {
  ID: ([id]) => id,
  OUTCOME: ([, outcome]) => outcome,
};
