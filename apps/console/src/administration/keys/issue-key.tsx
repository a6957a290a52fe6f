import type { IssuedApiKey } from '@plugin-config/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useKey } from '../../session/session.ts';
import { service } from '../../shell/service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { newKeyOf, SCOPES, scopesToGive, type KeyForm } from './new-key.ts';

interface Properties {
  readonly onIssued: (key: IssuedApiKey) => Promise<void>;
  readonly onClose: () => void;
}

const EMPTY: KeyForm = { label: '', scopes: ['plugin:read'], projects: '', expires: '' };

/** Asks what a new key is to be. */
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
    <Dialog title="Issue a key" onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          issue.mutate();
        }}
      >
        <label>
          Who or what is it for?
          <input
            value={form.label}
            onChange={({ target }) => setForm({ ...form, label: target.value })}
            required
          />
        </label>
        <fieldset>
          <legend>It may</legend>
          {scopesToGive(own).map((scope) => (
            <label key={scope} className="choice">
              <input
                type="checkbox"
                checked={form.scopes.includes(scope)}
                onChange={({ target }) =>
                  setForm({
                    ...form,
                    scopes: target.checked
                      ? [...form.scopes, scope]
                      : form.scopes.filter((one) => one !== scope),
                  })
                }
              />
              <span>
                {SCOPES[scope]} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          Projects, by their ids. Empty: {own.project_ids === null ? 'all' : 'those of your key'}
          <input
            value={form.projects}
            placeholder="1, 2"
            onChange={({ target }) => setForm({ ...form, projects: target.value })}
          />
        </label>
        <label>
          Expires. Empty: {own.expires_at === null ? 'never' : 'when your key does'}
          <input
            type="datetime-local"
            value={form.expires}
            onChange={({ target }) => setForm({ ...form, expires: target.value })}
          />
        </label>
        {issue.error !== null && <ErrorNote error={issue.error} />}
        <p className="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={issue.isPending}>
            Issue
          </button>
        </p>
      </form>
    </Dialog>
  );
}
