import { codePoints } from '@plugin-config/domain';
import { InvalidArgumentError } from 'commander';

const LONGEST = 200;

export function readLabel(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('A key needs a label.');
  if (codePoints(trimmed) > LONGEST)
    throw new InvalidArgumentError(`It takes no more than ${LONGEST} characters.`);
  return trimmed;
}
