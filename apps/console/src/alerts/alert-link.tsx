import { Link } from 'wouter';
import { useMayRead } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import type { AlertOwner } from './alerts-of.ts';

interface Properties {
  readonly projectId: AlertOwner;
  readonly id: number;
  readonly label: string;
}

/** Links to an alert. Only keys that are not bound to projects can open one on all projects. */
export function AlertLink({ projectId, id, label }: Properties) {
  const text = <bdi>{label}</bdi>;
  return useMayRead(projectId) ? <Link href={alertPath(projectId, id)}>{text}</Link> : text;
}
