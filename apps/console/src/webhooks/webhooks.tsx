import type { Webhook, WebhookWithSecret } from '@plugin-config/client';
import { CircleSlash, Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { AllProjectsHeading } from '../all-projects/all-projects-heading.tsx';
import { useMayWrite } from '../session/session.ts';
import { webhooksPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { Badge } from '../ui/badge.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { NEW_WEBHOOK, webhookOf } from './webhook-form.ts';
import { eventsText } from './webhook-words.ts';
import { webhooksKey, webhooksOf, type WebhookOwner } from './webhooks-of.ts';

/** Dispatches don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

interface Properties {
  readonly projectId: WebhookOwner;
}

export function Webhooks({ projectId }: Properties) {
  const mayWrite = useMayWrite(projectId);
  const list = useListing(
    [...webhooksKey(projectId), 'list'],
    async (range, options) => webhooksOf(projectId).list(range, options).page(),
    () => REFRESH_MS,
  );
  /** The dialog: to create a webhook, or with the secret of the one that was created. */
  const [dialog, setDialog] = useState<'create' | WebhookWithSecret | null>(null);
  const close = (): void => setDialog(null);
  const create = (title: string, className: string) =>
    mayWrite && (
      <button type="button" className={className} onClick={() => setDialog('create')}>
        <Plus />
        {title}
      </button>
    );
  return (
    <>
      {projectId === null ? (
        <AllProjectsHeading part="webhooks">{create('Create a webhook', 'primary end')}</AllProjectsHeading>
      ) : (
        <Heading title="Webhooks">{create('Create a webhook', 'primary end')}</Heading>
      )}
      <Listing
        list={list}
        what="webhooks"
        empty={
          <Empty icon={WebhookIcon} guide="webhooks.md" title="No webhooks yet">
            <p>
              A webhook sends incidents and record changes to a URL as they happen, signed so that the
              receiver can verify them.
            </p>
            {create('Create your first webhook', '')}
          </Empty>
        }
      >
        {(webhook) => <WebhookRow projectId={projectId} webhook={webhook} />}
      </Listing>
      {dialog === 'create' ? (
        <CreateWebhook projectId={projectId} onClose={close} onCreated={setDialog} />
      ) : (
        dialog && <SecretDialog title="Webhook created" secret={dialog.secret} onClose={close} />
      )}
    </>
  );
}

function WebhookRow({ projectId, webhook }: Properties & { readonly webhook: Webhook }) {
  const { id, url, events, plugin, enabled, disabled_reason: reason, last_delivered_at: delivered } = webhook;
  const change = useChange(async (isOn: boolean) => webhooksOf(projectId).update(id, { enabled: isOn }), {
    affects: webhooksKey(projectId),
  });
  return (
    <>
      <span>
        <span className="actions">
          <Link href={`${webhooksPath(projectId)}/${id}`}>{url}</Link>
          {reason !== null && (
            <Badge tone="bad" icon={CircleSlash}>
              {reason === 'gone' ? 'Disabled: receiver is gone' : 'Disabled: deliveries fail'}
            </Badge>
          )}
          {webhook.paused_at !== null && (
            <Badge tone="bad" icon={CircleSlash}>
              Paused
            </Badge>
          )}
        </span>
        <span className="hint">
          {eventsText(events)}
          {plugin !== null && ` · plugin ${plugin}`}
        </span>
        <ErrorNote error={change.error} />
      </span>
      <span className="hint actions">
        <span>
          {delivered === null ? 'Nothing delivered yet' : <Time before="Delivered " at={delivered} />}
        </span>
        <EnabledSwitch
          name={url}
          isEnabled={change.isPending ? change.variables : enabled}
          onChange={(isOn) => change.mutate(isOn)}
        />
      </span>
    </>
  );
}

interface CreateProperties extends Properties {
  readonly onCreated: (webhook: WebhookWithSecret) => void;
  readonly onClose: () => void;
}

function CreateWebhook({ projectId, onCreated, onClose }: CreateProperties) {
  const [form, setForm] = useState(NEW_WEBHOOK);
  const create = useChange(async () => webhooksOf(projectId).create(webhookOf(form)), {
    affects: webhooksKey(projectId),
    onSuccess: onCreated,
  });
  return (
    <FormDialog
      title="Create a webhook"
      submitLabel="Create"
      change={create}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <WebhookFields form={form} onChange={setForm} />
    </FormDialog>
  );
}
