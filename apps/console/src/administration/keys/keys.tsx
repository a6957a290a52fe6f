import type { ApiKey, IssuedApiKey } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { service } from '../../shell/service.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Listing } from '../../ui/listing.tsx';
import { useNotify } from '../../ui/notices.tsx';
import { Time } from '../../ui/time.tsx';
import { useListing } from '../../ui/use-listing.ts';
import { IssueKey } from './issue-key.tsx';

const KEYS = ['keys'];

/** Lists the keys that the signed-in key may manage, and issues and revokes them. */
export function Keys() {
  const list = useListing(KEYS, async (range, signal) => service.keys.list(range, { signal }).page());
  const queries = useQueryClient();
  const [isIssuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <>
      <p>
        <button type="button" onClick={() => setIssuing(true)}>
          Issue a key
        </button>
      </p>
      <Listing list={list} what="keys" empty={<Empty title="No keys that you can manage" />}>
        {(keys) => (
          <ul className="rows">
            {keys.map((key) => (
              <KeyRow key={key.id} shown={key} onRevoke={() => setRevoked(key)} />
            ))}
          </ul>
        )}
      </Listing>
      {isIssuing && (
        <IssueKey
          onClose={() => setIssuing(false)}
          onIssued={async (key) => {
            setIssuing(false);
            setIssued(key);
            await queries.invalidateQueries({ queryKey: KEYS });
          }}
        />
      )}
      {issued !== null && <IssuedKey issued={issued} onClose={() => setIssued(null)} />}
      {revoked !== null && <RevokeKey revoked={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function KeyRow({ shown, onRevoke }: { readonly shown: ApiKey; readonly onRevoke: () => void }) {
  const { id, account_id, label, scopes, project_ids, created_at, expires_at, last_used_at, revoked_at } =
    shown;
  return (
    <li>
      <span>
        <strong>
          <bdi>{label}</bdi>
        </strong>{' '}
        <span className="hint">
          {id}
          {account_id !== id && `, account ${account_id}`}
        </span>
        <br />
        {scopes.join(', ')} · {project_ids === null ? 'all projects' : `projects ${project_ids.join(', ')}`}
      </span>
      <span className="hint">
        Issued <Time at={created_at} />, {last_used_at === null ? 'never used' : 'used '}
        {last_used_at !== null && <Time at={last_used_at} />}
        {expires_at !== null && (
          <>
            , expires <Time at={expires_at} />
          </>
        )}{' '}
        {revoked_at === null ? (
          <button type="button" className="small danger" aria-label={`Revoke ${label}`} onClick={onRevoke}>
            Revoke
          </button>
        ) : (
          <>
            , revoked <Time at={revoked_at} />
          </>
        )}
      </span>
    </li>
  );
}

/** Shows the token of a new key, for the only time. */
function IssuedKey({ issued, onClose }: { readonly issued: IssuedApiKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`Key issued: ${issued.label}`} onClose={onClose}>
      <p>Copy the key now. It will not be shown again.</p>
      <code className="token">{issued.token}</code>
      <p className="actions">
        <CopyButton text={issued.token} what="key" />
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </p>
    </Dialog>
  );
}

function RevokeKey({ revoked, onClose }: { readonly revoked: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const revoke = useMutation({
    mutationFn: async () => service.keys.revoke(revoked.id),
    onSuccess: async () => {
      onClose();
      notify(`The key ${revoked.label} was revoked.`);
      await queries.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <FormDialog
      title={`Revoke ${revoked.label}?`}
      submitLabel="Revoke key"
      isDisabled={revoke.isPending}
      error={revoke.error}
      isDanger
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>Everything that uses this key loses access immediately. This cannot be undone.</p>
    </FormDialog>
  );
}
