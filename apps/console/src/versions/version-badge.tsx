import type { PluginVersion } from '@plugin-config/client';
import { Badge } from '../ui/badge.tsx';
import { STATES } from './version-words.ts';

export function VersionBadge({ state }: Pick<PluginVersion, 'state'>) {
  const [title, tone] = STATES[state];
  return <Badge tone={tone}>{title}</Badge>;
}
