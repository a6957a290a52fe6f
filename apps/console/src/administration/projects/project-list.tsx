import type { Project } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { familyPath } from '../../shell/addresses.ts';
import { service } from '../../shell/service.ts';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Time } from '../../ui/time.tsx';
import { useListing } from '../../ui/use-listing.ts';
import { DeleteProject } from './delete-project.tsx';
import { UsageDialog } from './usage-dialog.tsx';

/** Lists, creates, renames and deletes projects, and shows their log usage. */
export function ProjectList() {
  const list = useListing(['projects', 'all'], async (range, signal) =>
    service.projects(range, { signal }).page(),
  );
  const [editedProject, setEditedProject] = useState<Project | 'new' | null>(null);
  const [deletedProject, setDeletedProject] = useState<Project | null>(null);
  const [usageProject, setUsageProject] = useState<Project | null>(null);
  return (
    <>
      <p>
        <button type="button" onClick={() => setEditedProject('new')}>
          Create a project
        </button>
      </p>
      <Listing list={list} what="projects" empty={<Empty title="No projects yet" />}>
        {(projects) => (
          <ul className="rows">
            {projects.map((project) => (
              <li key={project.id}>
                <Link href={familyPath({ projectId: project.id, family: 'plugin_configs' })}>
                  <bdi>{project.name}</bdi>
                </Link>
                <span className="hint">
                  Project {project.id}, created <Time at={project.created_at} />{' '}
                  <button
                    type="button"
                    className="small"
                    aria-label={`Rename ${project.name}`}
                    onClick={() => setEditedProject(project)}
                  >
                    Rename
                  </button>{' '}
                  <button
                    type="button"
                    className="small"
                    aria-label={`Usage of ${project.name}`}
                    onClick={() => setUsageProject(project)}
                  >
                    Usage
                  </button>{' '}
                  <button
                    type="button"
                    className="small"
                    aria-label={`Delete ${project.name}`}
                    onClick={() => setDeletedProject(project)}
                  >
                    Delete
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      {deletedProject !== null && (
        <DeleteProject project={deletedProject} onClose={() => setDeletedProject(null)} />
      )}
      {usageProject !== null && <UsageDialog project={usageProject} onClose={() => setUsageProject(null)} />}
      {editedProject !== null && (
        <NameDialog project={editedProject} onClose={() => setEditedProject(null)} />
      )}
    </>
  );
}

interface NameDialogProperties {
  readonly project: Project | 'new';
  readonly onClose: () => void;
}

function NameDialog({ project, onClose }: NameDialogProperties) {
  const queries = useQueryClient();
  const [name, setName] = useState(project === 'new' ? '' : project.name);
  const save = useMutation({
    mutationFn: async () =>
      project === 'new' ? service.createProject({ name }) : service.project(project.id).update({ name }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['projects'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={project === 'new' ? 'Create a project' : `Rename ${project.name}`}
      submitLabel={project === 'new' ? 'Create' : 'Rename'}
      isDisabled={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} required />
    </FormDialog>
  );
}
