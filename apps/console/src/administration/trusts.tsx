import type { Trust } from '@plugin-config/client';
import { Handshake, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useKey } from '../session/session.ts';
import { service, SERVICE_URL } from '../shell/service.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { inputsFor, TextArea, TextField } from '../ui/fields.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { idsText } from './new-key.ts';
import { RightsFields } from './rights-fields.tsx';
import { formOf, newForm, scopesOfTrusts, TRUSTS, trustOf } from './trust-form.ts';

/** Lists the trusts that the signed-in key may manage, and creates, changes and deletes them. */
export function Trusts() {
  const list = useListing(TRUSTS, async (range, options) => service.trusts.list(range, options).page());
  const [shown, setShown] = useState<Trust | 'new' | null>(null);
  return (
    <>
      <p className="toolbar">
        <span className="hint">
          A trust lets a pipeline sign in with the token of its CI, without a stored key.
        </span>
        <button type="button" className="primary end" onClick={() => setShown('new')}>
          <Plus />
          Create a trust
        </button>
      </p>
      <Listing
        list={list}
        what="trusts"
        empty={
          <Empty icon={Handshake} guide="access.md" title="No trusts yet">
            <p>Create one for each pipeline that applies configurations, such as a job of GitHub Actions.</p>
          </Empty>
        }
      >
        {(trust) => <TrustRow shown={trust} onChange={() => setShown(trust)} />}
      </Listing>
      {shown !== null && (
        <TrustDialog trust={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </>
  );
}

function TrustRow({ shown, onChange }: { readonly shown: Trust; readonly onChange: () => void }) {
  const { id, name, issuer, claims, scopes, project_ids: projects, created_at: createdAt } = shown;
  const { expires_at: expires, last_used_at: used } = shown;
  const remove = useChange(async () => service.trusts.delete(id), {
    affects: TRUSTS,
    notice: `The trust ${name} was deleted.`,
  });
  const question = `Delete ${name}? Its pipelines lose access immediately. This cannot be undone.`;
  return (
    <>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span className="hint">Trust {id}</span>
        <div className="hint">
          <code>{issuer}</code>
        </div>
        <div className="hint">
          <code>
            {Object.entries(claims)
              .map(([claim, values]) => `${claim} = ${values.join(' or ')}`)
              .join(', ')}
          </code>
        </div>
        <div className="hint">
          <code>{scopes.join(', ')}</code> · {idsText('projects', projects)}
        </div>
      </div>
      <span className="hint actions">
        <span>
          <Time before="Created " at={createdAt} />
          {used === null ? ', never used' : <Time before=", used " at={used} />}
          {expires !== null && <Time before=", expires " at={expires} />}
        </span>
        <button type="button" className="small" aria-label={`Change ${name}`} onClick={onChange}>
          <Pencil />
          Change
        </button>
        <button
          type="button"
          className="small danger"
          aria-label={`Delete ${name}`}
          onClick={() => window.confirm(question) && remove.mutate()}
        >
          <Trash2 />
          Delete
        </button>
        <ErrorNote error={remove.error} />
      </span>
    </>
  );
}

interface DialogProperties {
  /** Null for a new one. */
  readonly trust: Trust | null;
  readonly onClose: () => void;
}

function TrustDialog({ trust, onClose }: DialogProperties) {
  const own = useKey();
  const [form, setForm] = useState(() =>
    trust === null ? newForm(SERVICE_URL.replace(/\/$/, '')) : formOf(trust),
  );
  const { text } = inputsFor(form, setForm);
  const save = useChange(
    async () => {
      const sent = trustOf(form, own);
      return trust === null ? service.trusts.create(sent) : service.trusts.update(trust.id, sent);
    },
    {
      affects: TRUSTS,
      notice:
        trust === null ? 'The trust was created.' : 'The trust was changed. Earlier tokens no longer work.',
      onSuccess: onClose,
    },
  );
  return (
    <FormDialog
      title={trust === null ? 'Create a trust' : `Change ${trust.name}`}
      submitLabel={trust === null ? 'Create' : 'Change'}
      change={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name, shown as the author of its changes" required {...text('name')} />
      <TextField label="Issuer, exactly as in its tokens" type="url" required {...text('issuer')} />
      <TextField label="Audience of the tokens" required {...text('audience')} />
      <TextArea
        label="Claims: one name = value per line, including an id that nobody can rename"
        rows={3}
        spellCheck={false}
        required
        {...text('claims')}
      />
      <RightsFields
        scopes={scopesOfTrusts(own)}
        rights={form}
        onChange={(rights) => setForm({ ...form, ...rights })}
      />
      <TextField
        label="Lifetime of its tokens, in minutes"
        type="number"
        min={1}
        max={60}
        required
        {...text('minutes')}
      />
    </FormDialog>
  );
}
