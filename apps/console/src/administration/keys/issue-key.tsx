import type { IssuedApiKey } from '@plugin-config/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useKey } from '../../session/session.ts';
import { service } from '../../shell/service.ts';
import { Choice, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { newKeyOf, SCOPES, grantableScopes, type KeyForm } from './new-key.ts';

interface Properties {
  readonly onIssued: (key: IssuedApiKey) => Promise<void>;
  readonly onClose: () => void;
}

const EMPTY: KeyForm = { label: '', scopes: ['plugin:read'], projects: '', expires: '' };

export function IssueKey({ onIssued, onClose }: Properties) {
  const own = useKey();
  const [form, setForm] = useState(EMPTY);
  const issue = useMutation({
    mutationFn: async () => {
      const key = newKeyOf(form);
      if (typeof key === 'string') throw new Error(key);
      return service.keys.create(key);
    },
    onSuccess: onIssued,
  });
  return (
    <FormDialog
      title="Issue a key"
      submitLabel="Issue"
      isDisabled={issue.isPending}
      error={issue.error}
      onSubmit={() => issue.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Who or what is it for?"
        value={form.label}
        onChange={(label) => setForm({ ...form, label })}
        required
      />
      <fieldset>
        <legend>Scopes</legend>
        {grantableScopes(own).map((scope) => (
          <Choice
            key={scope}
            label={
              <>
                {SCOPES[scope]} <code>{scope}</code>
              </>
            }
            checked={form.scopes.includes(scope)}
            onChange={(isOn) => {
              const others = form.scopes.filter((one) => one !== scope);
              setForm({ ...form, scopes: isOn ? [...others, scope] : others });
            }}
          />
        ))}
      </fieldset>
      <TextField
        label={`Project IDs (empty: ${own.project_ids === null ? 'all projects' : 'same as your key'})`}
        value={form.projects}
        placeholder="1, 2"
        onChange={(projects) => setForm({ ...form, projects })}
      />
      <TextField
        label={`Expires (empty: ${own.expires_at === null ? 'never' : 'when your key does'})`}
        type="datetime-local"
        value={form.expires}
        onChange={(expires) => setForm({ ...form, expires })}
      />
    </FormDialog>
  );
}
