import type { Webhook } from '@plugin-config/client';
import { CircleAlert, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDeletion } from '../editing/use-deletion.ts';
import { useStoredForm } from '../editing/use-stored-form.ts';
import { webhooksPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { isNotFound } from '../ui/error-text.ts';
import { Form } from '../ui/fields.tsx';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Dispatches } from './dispatches.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { formOf, webhookOf } from './webhook-form.ts';
import { DISABLED, PAUSED } from './webhook-words.ts';
import { webhooksKey, webhooksOf, type WebhookOwner } from './webhooks-of.ts';

const ROTATE =
  'Replace the secret? Deliveries are also signed with the old one for 24 hours, so you can change the receiver.';
const DELETE = 'Delete the webhook? Its pending deliveries are not sent. This cannot be undone.';

interface Properties {
  readonly projectId: WebhookOwner;
  readonly id: number;
}

/** A webhook with its dispatches. */
export function WebhookPage({ projectId, id }: Properties) {
  const webhooks = webhooksOf(projectId);
  const key = [...webhooksKey(projectId), id];
  const query = useRead(key, async (options) => webhooks.retrieve(id, options), {
    // Each state of the webhook has its own entity tag.
    structuralSharing: false,
  });
  if (isNotFound(query.error)) return <NotFound />;
  return (
    <>
      <Heading
        title={query.data === undefined ? `Webhook ${id}` : hostOf(query.data)}
        parent={[webhooksPath(projectId), 'Webhooks']}
      />
      <QueryResult query={query} what="webhook">
        {(webhook) => (
          <>
            {webhook.disabled_reason !== null && (
              <p className="note warn">
                <CircleAlert />
                {DISABLED[webhook.disabled_reason]}
              </p>
            )}
            {webhook.paused_at !== null && (
              <p className="note warn">
                <CircleAlert />
                {PAUSED}
              </p>
            )}
            <div className="columns">
              <Dispatches projectId={projectId} id={id} />
              <div className="stack">
                <EditWebhook projectId={projectId} webhook={webhook} />
              </div>
            </div>
          </>
        )}
      </QueryResult>
    </>
  );
}

/** URLs are long and contain tokens, so the title is the host. */
const hostOf = ({ url }: Webhook): string => URL.parse(url)?.host ?? url;

interface EditProperties {
  readonly projectId: WebhookOwner;
  readonly webhook: Webhook;
}

function EditWebhook({ projectId, webhook }: EditProperties) {
  const webhooks = webhooksOf(projectId);
  const { id } = webhook;
  const affects = webhooksKey(projectId);
  const queryKey = [...affects, id];
  const [secret, setSecret] = useState<string | null>(null);
  const editing = useStoredForm({
    stored: webhook,
    formOf,
    requestOf: webhookOf,
    queryKey,
    read: async () => webhooks.retrieve(id),
    write: async (base, change) => webhooks.update(id, change, { ifMatch: base }),
    affects,
  });
  const rotate = useChange(async () => webhooks.rotate(id), {
    affects,
    onSuccess: (rotated) => setSecret(rotated.secret),
  });
  const remove = useDeletion({
    remove: async () => webhooks.delete(id),
    discard: editing.discard,
    queryKey,
    affects,
    notice: 'The webhook was deleted.',
    path: webhooksPath(projectId),
  });
  return (
    <>
      <Panel title="Settings">
        <Form className="fields" onSubmit={editing.save}>
          <WebhookFields form={editing.form} onChange={editing.change} />
          {editing.hasConflict && (
            <p role="alert">
              This webhook has changed. The form shows the changes with yours: check them, then save.
            </p>
          )}
          <ErrorNote error={editing.error} />
          <p className="actions">
            <button type="submit" className="primary" aria-disabled={editing.isSaving || !editing.isEdited}>
              Save changes
            </button>
          </p>
        </Form>
      </Panel>
      <ErrorNote error={rotate.error ?? remove.error} />
      <p className="actions">
        <button
          type="button"
          disabled={rotate.isPending}
          onClick={() => window.confirm(ROTATE) && rotate.mutate()}
        >
          <RefreshCw />
          Replace the secret
        </button>
        <button
          type="button"
          className="danger"
          disabled={remove.isPending}
          onClick={() => window.confirm(DELETE) && remove.mutate()}
        >
          <Trash2 />
          Delete
        </button>
      </p>
      {secret !== null && (
        <SecretDialog title="Secret replaced" secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}
