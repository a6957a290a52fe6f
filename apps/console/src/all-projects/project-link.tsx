import type { ProjectError } from '@plugin-config/client';
import { Link } from 'wouter';
import { projectPath } from '../shell/addresses.ts';

export function ProjectLink({ project }: Pick<ProjectError, 'project'>) {
  const { id, external_id: externalId, name } = project;
  return (
    <span>
      <Link href={projectPath(id)}>
        <bdi>{name}</bdi>
      </Link>{' '}
      {externalId !== null && <code className="hint">{externalId}</code>}
    </span>
  );
}
