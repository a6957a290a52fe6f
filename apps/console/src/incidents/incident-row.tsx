import type { Incident, ProjectIncident } from '@plugin-config/client';
import { BellOff, CircleAlert, CircleCheck, PowerOff, Trash2, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import { ProjectLink } from '../all-projects/project-link.tsx';
import { RecordLink } from '../record/record-link.tsx';
import { AlertLink } from '../alerts/alert-link.tsx';
import { FAMILIES, familyPath } from '../shell/addresses.ts';
import { Badge } from '../ui/badge.tsx';
import { Time } from '../ui/texts.tsx';
import { breachText, REASONS } from './incident-words.ts';

/** An incident of a project, or of any with the name of its project. */
export type ShownIncident = Incident & Partial<Pick<ProjectIncident, 'project'>>;

interface Properties {
  /** The project of the page; null on a page about all projects. */
  readonly projectId: number | null;
  readonly incident: ShownIncident;
  /** The subject of the page, which the row need not repeat. */
  readonly omits?: 'record' | 'alert';
}

/** An incident with links to its project, its record and its alert. */
export function IncidentRow({ projectId: shownIn, incident, omits }: Properties) {
  const { project, record } = incident;
  const projectId = shownIn ?? project?.id ?? null;
  const { family, record_id: id, alert_project_id: owner, opened_at: opened, closed_at: closed } = incident;
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
            <RecordLink at={{ projectId, family, id }} name={record?.name} />
          )}
          {shownIn === null && project && <ProjectLink project={project} />}
        </span>
        <span className="hint">
          {omits !== 'record' &&
            (isAboutOthers ? `${incident.value ?? 0} more records` : breachText(incident))}
          {omits === undefined && ' · '}
          {omits !== 'alert' && (
            <AlertLink projectId={owner} id={incident.alert_id} label={incident.alert_name} />
          )}
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
