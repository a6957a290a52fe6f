import type { Incident } from '@plugin-config/client';
import { BellOff, CircleAlert, CircleCheck, PowerOff, Trash2, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { RecordLink } from '../record/record-link.tsx';
import { alertPath, FAMILIES, familyPath } from '../shell/addresses.ts';
import { Badge } from '../ui/badge.tsx';
import { Time } from '../ui/texts.tsx';
import { breachText, REASONS } from './incident-words.ts';

interface Properties {
  /** Null for an incident of several projects. */
  readonly projectId: number | null;
  readonly incident: Incident;
  /** The name of its record, which is read if absent. */
  readonly recordName?: string | undefined;
  /** The subject of the page, which the row need not repeat. */
  readonly omits?: 'record' | 'alert';
  /** Where it is. */
  readonly children?: ReactNode;
}

/** An incident with links to its record and its alert. */
export function IncidentRow({ projectId, incident, recordName, omits, children }: Properties) {
  const { family, record_id: id, alert_id: alert, opened_at: opened, closed_at: closed } = incident;
  const isAboutOthers = id === null && incident.signal !== 'offline';
  return (
    <>
      <span>
        <span className="actions">
          <StateBadge incident={incident} />
          {omits === 'record' ? (
            breachText(incident)
          ) : projectId === null ? (
            FAMILIES[family]
          ) : id === null ? (
            <Link href={`${familyPath({ projectId, family })}/runtimes`}>{FAMILIES[family]}</Link>
          ) : (
            <RecordLink at={{ projectId, family, id }} name={recordName} />
          )}
          {children}
        </span>
        <span className="hint">
          {omits !== 'record' &&
            (isAboutOthers ? `${incident.value ?? 0} more records` : breachText(incident))}
          {omits === undefined && ' · '}
          {omits !== 'alert' &&
            (projectId === null ? (
              <bdi>{incident.alert_name}</bdi>
            ) : (
              <Link href={alertPath(projectId, alert)}>
                <bdi>{incident.alert_name}</bdi>
              </Link>
            ))}
        </span>
      </span>
      <span className="hint">
        <Time before="Opened " at={opened} />
        {closed !== null && <Time before=", closed " at={closed} />}
      </span>
    </>
  );
}

const LOOKS: Readonly<
  Record<NonNullable<Incident['reason']>, readonly [tone: 'good' | 'neutral', icon: LucideIcon]>
> = {
  recovered: ['good', CircleCheck],
  disabled: ['neutral', PowerOff],
  deleted: ['neutral', Trash2],
  changed: ['neutral', BellOff],
};

function StateBadge({ incident: { reason } }: { readonly incident: Incident }) {
  if (reason === null) {
    return (
      <Badge tone="bad" icon={CircleAlert}>
        Open
      </Badge>
    );
  }
  const [tone, icon] = LOOKS[reason];
  return (
    <Badge tone={tone} icon={icon}>
      {REASONS[reason]}
    </Badge>
  );
}
