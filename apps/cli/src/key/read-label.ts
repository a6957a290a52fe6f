import { codePoints } from '@plugin-config/domain';
import { InvalidArgumentError } from 'commander';

const LABEL_MAX = 200;

export function readLabel(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('A key needs a label.');
  if (codePoints(trimmed) > LABEL_MAX)
    throw new InvalidArgumentError(`A label takes at most ${LABEL_MAX} characters.`);
  return trimmed;
}
