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
import { FAMILIES } from './addresses.ts';

type Screen = readonly [part: string, title: string, icon: LucideIcon];

const SCREENS: readonly Screen[] = [
  ['', 'Overview', LayoutDashboard],
  ['plugin_configs', FAMILIES.plugin_configs, Plug],
  ['pipeline_transformation_configs', FAMILIES.pipeline_transformation_configs, Shuffle],
  ['incidents', 'Incidents', Siren],
  ['alerts', 'Alerts', BellRing],
  ['webhooks', 'Webhooks', Webhook],
  ['dead-letters', 'Dead letters', MailX],
  ['documents', 'Documents', FileJson],
];

/** The screens of a project by the part of their address after it, in the order of the navigation. */
export function projectScreens(mayWrite: boolean): readonly Screen[] {
  // URLs of webhooks often contain credentials.
  return mayWrite ? SCREENS : SCREENS.filter(([part]) => part !== 'webhooks');
}
