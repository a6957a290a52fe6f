import type { Project } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { projectPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Mark } from '../ui/mark.tsx';
import { useListing } from '../ui/queries.tsx';
import { Time } from '../ui/texts.tsx';

/** The projects that the key may see. */
export const useProjects = () =>
  useListing(['projects', 'all'], async (range, options) => service.projects(range, options).page());

interface Properties {
  readonly project: Project;
  /** What can be done with it. */
  readonly children?: ReactNode;
}

/** A project with a link to it. */
export function ProjectRow({ project: { id, name, created_at: createdAt }, children }: Properties) {
  return (
    <>
      <span className="with-icon">
        <Mark name={name} seed={id} />
        <Link href={projectPath(id)}>
          <bdi>{name}</bdi>
        </Link>
      </span>
      <span className="hint actions">
        <span>
          Project {id}, created <Time at={createdAt} />
        </span>
        {children}
      </span>
    </>
  );
}
