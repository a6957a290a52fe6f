import type { Project } from '@plugin-config/client';
import { FolderPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { ProjectListing, useProjects } from '../project/project-listing.tsx';
import { service } from '../shell/service.ts';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { inputsFor, TextField } from '../ui/fields.tsx';
import { formatCount } from '../ui/format.ts';
import { QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** Lists, creates, changes and deletes projects, and shows their log usage. */
export function ProjectList() {
  const found = useProjects();
  const [edited, setEdited] = useState<Project | 'new' | null>(null);
  const [used, setUsed] = useState<Project | null>(null);
  const [deleted, setDeleted] = useState<Project | null>(null);
  return (
    <>
      <ProjectListing
        found={found}
        actions={
          <button type="button" className="primary end" onClick={() => setEdited('new')}>
            <Plus />
            Create a project
          </button>
        }
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
            <>
              {button(`Edit ${name}`, 'Edit', () => setEdited(project))}
              {button(`Usage of ${name}`, 'Usage', () => setUsed(project))}
              {button(`Delete ${name}`, 'Delete', () => setDeleted(project))}
            </>
          );
        }}
      </ProjectListing>
      {used !== null && <UsageDialog project={used} onClose={() => setUsed(null)} />}
      {deleted !== null && <DeleteDialog project={deleted} onClose={() => setDeleted(null)} />}
      {edited !== null && <EditDialog project={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

interface DialogProperties<P> {
  readonly project: P;
  readonly onClose: () => void;
}

/** Edits the name and the external id of a project. */
function EditDialog({ project, onClose }: DialogProperties<Project | 'new'>) {
  const before = project === 'new' ? { name: '', external_id: null } : project;
  const [form, setForm] = useState({ name: before.name, externalId: before.external_id ?? '' });
  const { text } = inputsFor(form, setForm);
  const externalId = form.externalId.trim() === '' ? null : form.externalId.trim();
  const save = useChange(
    async () => {
      if (project === 'new') return service.createProject({ name: form.name, external_id: externalId });
      return service.project(project.id).update({
        // Each field that is sent is written to the audit log.
        ...(form.name !== before.name && { name: form.name }),
        ...(externalId !== before.external_id && { external_id: externalId }),
      });
    },
    { affects: ['projects'], onSuccess: onClose },
  );
  return (
    <FormDialog
      title={project === 'new' ? 'Create a project' : `Edit ${project.name}`}
      submitLabel={project === 'new' ? 'Create' : 'Save'}
      change={save}
      isDisabled={form.name === before.name && externalId === before.external_id}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" required {...text('name')} />
      <TextField label="External ID (optional): its ID in your product" {...text('externalId')} />
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
