import type { Project } from '@plugin-config/client';
import { FolderPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { ProjectRow, useProjects } from '../project/project-row.tsx';
import { service } from '../shell/service.ts';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatCount } from '../ui/format.ts';
import { Listing, QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** Lists, creates, renames and deletes projects, and shows their log usage. */
export function ProjectList() {
  const list = useProjects();
  const [edited, setEdited] = useState<Project | 'new' | null>(null);
  const [used, setUsed] = useState<Project | null>(null);
  const [deleted, setDeleted] = useState<Project | null>(null);
  return (
    <>
      <p className="toolbar">
        <span className="hint">Each project has its own plugins, keys, logs and history.</span>
        <button type="button" className="primary end" onClick={() => setEdited('new')}>
          <Plus />
          Create a project
        </button>
      </p>
      <Listing
        list={list}
        what="projects"
        empty={
          <Empty icon={FolderPlus} guide="tour.md" title="No projects yet">
            <p>A project has its own plugins, keys, logs and history.</p>
          </Empty>
        }
      >
        {(project) => {
          const { name } = project;
          const button = (label: string, text: string, onClick: () => void) => (
            <button type="button" className="small" aria-label={label} onClick={onClick}>
              {text}
            </button>
          );
          return (
            <ProjectRow project={project}>
              {button(`Rename ${name}`, 'Rename', () => setEdited(project))}
              {button(`Usage of ${name}`, 'Usage', () => setUsed(project))}
              {button(`Delete ${name}`, 'Delete', () => setDeleted(project))}
            </ProjectRow>
          );
        }}
      </Listing>
      {used !== null && <UsageDialog project={used} onClose={() => setUsed(null)} />}
      {deleted !== null && <DeleteDialog project={deleted} onClose={() => setDeleted(null)} />}
      {edited !== null && <NameDialog project={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

interface DialogProperties<P> {
  readonly project: P;
  readonly onClose: () => void;
}

function NameDialog({ project, onClose }: DialogProperties<Project | 'new'>) {
  const [name, setName] = useState(project === 'new' ? '' : project.name);
  const save = useChange(
    async () =>
      project === 'new' ? service.createProject({ name }) : service.project(project.id).update({ name }),
    { affects: ['projects'], onSuccess: onClose },
  );
  return (
    <FormDialog
      title={project === 'new' ? 'Create a project' : `Rename ${project.name}`}
      submitLabel={project === 'new' ? 'Create' : 'Rename'}
      change={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} required />
    </FormDialog>
  );
}

/** Deletes a project once its name has been typed. */
function DeleteDialog({ project, onClose }: DialogProperties<Project>) {
  const [name, setName] = useState('');
  const remove = useChange(async () => service.project(project.id).delete({ name }), {
    affects: ['projects'],
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`Delete ${project.name}`}
      submitLabel="Delete the project"
      change={remove}
      isDisabled={name !== project.name}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Deletes the project with all of its records, logs and keys. This cannot be undone. Type{' '}
        <strong>
          <bdi>{project.name}</bdi>
        </strong>{' '}
        to confirm.
      </p>
      <TextField label="Name of the project" value={name} onChange={setName} required />
    </FormDialog>
  );
}

/** The log usage of a project by day, and its quota. */
function UsageDialog({ project, onClose }: DialogProperties<Project>) {
  const query = useRead(['usage', project.id], async (options) => service.project(project.id).usage(options));
  return (
    <Dialog title={`Log usage of ${project.name}`} onClose={onClose}>
      <QueryResult query={query} what="usage">
        {({ quota, days }) => (
          <Table
            columns={['Day (UTC)', 'Entries', 'Bytes', 'Over quota']}
            rows={[
              ['Quota', limit(quota.entries_per_day), limit(quota.bytes_per_day), '–'],
              ...days.map(
                ({ day, entries, bytes, over_quota: over }) =>
                  [day, formatCount(entries), formatCount(bytes), formatCount(over)] as const,
              ),
            ]}
          />
        )}
      </QueryResult>
      <p className="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

const limit = (max: number | null): string => (max === null ? 'No limit' : formatCount(max));
