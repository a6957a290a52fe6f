import type { OwnApiKey } from '@plugin-config/client';
import { Blocks, FolderOpen, Handshake, KeyRound, ScrollText, type LucideIcon } from 'lucide-react';
import { may, mayEverywhere } from '../session/session.ts';

export type AdministrationPart = 'plugins' | 'keys' | 'trusts' | 'projects' | 'audit';

interface AdministrationScreen {
  /** The part of the address after `/administration/`. */
  readonly part: AdministrationPart;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly isAllowed: (key: OwnApiKey) => boolean;
}

const SCREENS: readonly AdministrationScreen[] = [
  { part: 'plugins', title: 'Plugins', icon: Blocks, isAllowed: (key) => may(key, 'plugin:read') },
  { part: 'keys', title: 'Keys', icon: KeyRound, isAllowed: (key) => may(key, 'key:write') },
  { part: 'trusts', title: 'Trusts', icon: Handshake, isAllowed: (key) => may(key, 'key:write') },
  {
    part: 'projects',
    title: 'Projects',
    icon: FolderOpen,
    isAllowed: (key) => mayEverywhere(key, 'project:write'),
  },
  { part: 'audit', title: 'Audit log', icon: ScrollText, isAllowed: (key) => mayEverywhere(key, '*') },
];

/** The screens of the administration that a key may open, in the order of their tabs. */
export const administrationScreens = (key: OwnApiKey): readonly AdministrationScreen[] =>
  SCREENS.filter(({ isAllowed }) => isAllowed(key));

export const administrationPath = (part: string) => `/administration/${part}` as const;
