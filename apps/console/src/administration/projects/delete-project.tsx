import type { Project } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { service } from '../../shell/service.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Properties {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Deletes a project once its name has been typed. */
export function DeleteProject({ project, onClose }: Properties) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const remove = useMutation({
    mutationFn: async () => service.project(project.id).delete(name),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['projects'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Delete ${project.name}`}
      submitLabel="Delete the project"
      isDisabled={remove.isPending || name !== project.name}
      error={remove.error}
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
