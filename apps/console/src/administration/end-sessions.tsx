import { useState } from 'react';
import { service } from '../shell/service.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { Choice, TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';

const EVERYBODY = '*';

/** Ends the sessions of one user of the identity provider, or of all. */
export function EndSessions({ onClose }: { readonly onClose: () => void }) {
  const [isForAll, setForAll] = useState(false);
  const [subject, setSubject] = useState('');
  const end = useChange(
    async () => service.sessions.end({ subject: isForAll ? EVERYBODY : subject.trim() }),
    {
      affects: [],
      onSuccess: ({ ended }) => {
        notify(ended === 1 ? 'The user has to sign in again.' : `${ended} users have to sign in again.`);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title="End sessions"
      submitLabel="End sessions"
      change={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p className="hint">
        Users of the identity provider are signed out at their next request. To end the sessions of a key,
        revoke the key.
      </p>
      <fieldset>
        <legend>Users</legend>
        <Choice
          type="radio"
          name="users"
          label="One user"
          checked={!isForAll}
          onChange={() => setForAll(false)}
        />
        <Choice
          type="radio"
          name="users"
          label="All users"
          checked={isForAll}
          onChange={() => setForAll(true)}
        />
      </fieldset>
      {!isForAll && (
        <TextField
          label="Subject (sub), as in the audit log"
          value={subject}
          onChange={setSubject}
          maxLength={255}
          autoComplete="off"
          required
        />
      )}
    </FormDialog>
  );
}
