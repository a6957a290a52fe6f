import type { ApiKey, IssuedApiKey } from '@plugin-config/client';
import { Ban, KeyRound, LogOut, Plus } from 'lucide-react';
import { PLUGIN_SCOPES } from '@plugin-config/domain/vocabulary';
import { useState } from 'react';
import { PluginPicker } from '../record/plugin-picker.tsx';
import { useKey } from '../session/session.ts';
import { service } from '../shell/service.ts';
import { signInMethods } from '../sign-in/sign-in-methods.ts';
import { Badge } from '../ui/badge.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { inputsFor, TextField } from '../ui/fields.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { TokenDialog } from '../ui/token-dialog.tsx';
import { EndSessions } from './end-sessions.tsx';
import { grantableScopes, KEYS, newKeyOf, idsText, type KeyForm } from './new-key.ts';
import { Extent, RightsFields } from './rights-fields.tsx';

/** Lists the keys that the signed-in key may manage, and issues and revokes them. */
export function Keys() {
  const list = useListing(KEYS, async (range, options) => service.keys.list(range, options).page());
  const { provider } = signInMethods();
  /** The dialog; an issued key is shown with its token. */
  const [dialog, setDialog] = useState<'end' | 'issue' | IssuedApiKey | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <p className="toolbar">
        <span className="hint">A key gives a person or a program access to the API, within its scopes.</span>
        {provider !== null && (
          <button type="button" className="end" onClick={() => setDialog('end')}>
            <LogOut />
            End sessions
          </button>
        )}
        <button
          type="button"
          className={provider === null ? 'primary end' : 'primary'}
          onClick={() => setDialog('issue')}
        >
          <Plus />
          Issue a key
        </button>
      </p>
      <Listing
        list={list}
        what="keys"
        empty={
          <Empty icon={KeyRound} guide="tour.md" title="No keys that you can manage">
            <p>
              Give each program its own key, with only the scopes it needs, so you can revoke it separately.
            </p>
          </Empty>
        }
      >
        {(key) => <KeyRow shown={key} />}
      </Listing>
      {dialog === 'end' && <EndSessions onClose={close} />}
      {dialog === 'issue' && <IssueKey onClose={close} onIssued={setDialog} />}
      {typeof dialog === 'object' && dialog !== null && (
        <TokenDialog title={`Key issued: ${dialog.label}`} token={dialog.token} what="key" onClose={close}>
          Copy the key now. It will not be shown again.
        </TokenDialog>
      )}
    </>
  );
}

function KeyRow({ shown }: { readonly shown: ApiKey }) {
  const { id, account_id: account, label, scopes, project_ids: projects, created_at: createdAt } = shown;
  const { plugin_ids: plugins } = shown;
  const { expires_at: expires, last_used_at: used, revoked_at: revoked } = shown;
  const revoke = useChange(async () => service.keys.revoke(id), {
    affects: KEYS,
    notice: `The key ${label} was revoked.`,
  });
  const question = `Revoke ${label}? Everything that uses it loses access immediately. This cannot be undone.`;
  return (
    <>
      <div>
        <strong>
          <bdi>{label}</bdi>
        </strong>{' '}
        <span className="hint">
          Key {id}
          {account !== id && `, account ${account}`}
        </span>{' '}
        {revoked !== null && <Badge icon={Ban}>Revoked</Badge>}
        <div className="hint">
          <code>{scopes.join(', ')}</code> · {idsText('projects', projects)}
          {plugins !== null && ` · ${idsText('plugins', plugins)}`}
        </div>
      </div>
      <span className="hint actions">
        <span>
          <Time before="Issued " at={createdAt} />
          {used === null ? ', never used' : <Time before=", used " at={used} />}
          {expires !== null && <Time before=", expires " at={expires} />}
          {revoked !== null && <Time before=", revoked " at={revoked} />}
        </span>
        {revoked === null && (
          <button
            type="button"
            className="small danger"
            aria-label={`Revoke ${label}`}
            onClick={() => window.confirm(question) && revoke.mutate()}
          >
            <Ban />
            Revoke
          </button>
        )}
        <ErrorNote error={revoke.error} />
      </span>
    </>
  );
}

const EMPTY: KeyForm = {
  label: '',
  scopes: ['plugin:read'],
  isForAll: false,
  projects: [],
  isForAllPlugins: true,
  plugins: [],
  expires: '',
};

interface IssueProperties {
  readonly onIssued: (key: IssuedApiKey) => void;
  readonly onClose: () => void;
}

function IssueKey({ onIssued, onClose }: IssueProperties) {
  const own = useKey();
  const [form, setForm] = useState(EMPTY);
  const { text } = inputsFor(form, setForm);
  const issue = useChange(async () => service.keys.create(newKeyOf(form, own)), {
    affects: KEYS,
    onSuccess: onIssued,
  });
  return (
    <FormDialog
      title="Issue a key"
      submitLabel="Issue"
      change={issue}
      onSubmit={() => issue.mutate()}
      onClose={onClose}
    >
      <TextField label="Who or what is it for?" required {...text('label')} />
      <RightsFields
        scopes={grantableScopes(own)}
        rights={form}
        onChange={(rights) => setForm({ ...form, ...rights })}
      />
      <Extent
        what="plugins"
        all="All plugins"
        isForAll={form.isForAllPlugins}
        onChange={(isForAllPlugins) => setForm({ ...form, isForAllPlugins })}
      >
        <p className="hint">
          The key sees only the records of these plugins, and can only have{' '}
          <code>{PLUGIN_SCOPES.join(', ')}</code>.
        </p>
        <PluginPicker chosen={form.plugins} onChange={(plugins) => setForm({ ...form, plugins })} />
      </Extent>
      <TextField
        label={
          own.expires_at === null ? 'Expires (optional)' : 'Expires (leave empty to expire with your key)'
        }
        type="datetime-local"
        {...text('expires')}
      />
    </FormDialog>
  );
}
