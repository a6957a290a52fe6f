import {
  BellRing,
  MailX,
  FileJson,
  LayoutDashboard,
  Plug,
  Shuffle,
  Siren,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { FAMILIES, type Family } from './addresses.ts';

type Screen = readonly [part: string, title: string, icon: LucideIcon];

const ICONS: Readonly<Record<Family, LucideIcon>> = {
  plugin_configs: Plug,
  pipeline_transformation_configs: Shuffle,
};

const OVERVIEW: Screen = ['', 'Overview', LayoutDashboard];
/** URLs of webhooks often contain credentials. */
const WEBHOOKS: Screen = ['webhooks', 'Webhooks', Webhook];

export interface Rights {
  /** Without it, a key with `config:write` still sees the records. */
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
}

/** The screens of a project that the user may open, by the part of their address after it, in the order of the navigation. */
export function projectScreens(
  { mayRead, mayWrite }: Rights,
  families: readonly Family[],
): readonly Screen[] {
  const records = families.map((family): Screen => [family, FAMILIES[family], ICONS[family]]);
  if (!mayRead) return records;
  return [
    OVERVIEW,
    ...records,
    ['incidents', 'Incidents', Siren],
    ['alerts', 'Alerts', BellRing],
    ...(mayWrite ? [WEBHOOKS] : []),
    ['dead-letters', 'Dead letters', MailX],
    ['documents', 'Documents', FileJson],
  ];
}
