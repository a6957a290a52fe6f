import type { WebhookDelivery } from '@plugin-config/client';
import { CircleCheck, CircleDashed, CircleX, RotateCw, Send, type LucideIcon } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { notify } from '../ui/notices.tsx';
import { Panel } from '../ui/panel.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';
import { attemptsText } from './webhook-words.ts';
import { webhooksKey, webhooksOf, type WebhookOwner } from './webhooks-of.ts';

/** The list is polled more often while a dispatch is waiting to be sent. */
const PENDING_MS = 1500;
const IDLE_MS = 15_000;

/** Before all deliveries, which are kept for 30 days. */
const EARLIEST = new Date(0).toISOString();
const now = () => new Date().toISOString();

const STATES: Readonly<
  Record<
    WebhookDelivery['state'],
    readonly [title: string, tone: 'neutral' | 'good' | 'bad', icon: LucideIcon]
  >
> = {
  pending: ['Pending', 'neutral', CircleDashed],
  delivered: ['Delivered', 'good', CircleCheck],
  failed: ['Failed', 'bad', CircleX],
};

interface Properties {
  readonly projectId: WebhookOwner;
  readonly id: number;
}

/** The dispatches of a webhook, which pages call deliveries, newest first. */
export function Dispatches({ projectId, id }: Properties) {
  const webhooks = webhooksOf(projectId);
  const list = useListing(
    [...webhooksKey(projectId), id, 'deliveries'],
    async (range, options) => webhooks.deliveries(id, range, options).page(),
    (dispatches) => (dispatches.some(isAboutToBeSent) ? PENDING_MS : IDLE_MS),
  );
  const test = useChange(async () => webhooks.test(id), { affects: webhooksKey(projectId) });
  const recover = useChange(async () => webhooks.recover(id, { since: EARLIEST, until: now() }), {
    affects: webhooksKey(projectId),
    onSuccess: ({ queued }) => notify(`${queued} failed deliveries were queued again.`),
  });
  return (
    <Panel
      title="Deliveries"
      actions={
        <>
          <button
            type="button"
            className="small end"
            aria-disabled={recover.isPending}
            onClick={() => recover.isPending || recover.mutate()}
          >
            <RotateCw />
            Resend all failed
          </button>
          <button
            type="button"
            className="small"
            aria-disabled={test.isPending}
            onClick={() => test.isPending || test.mutate()}
          >
            <Send />
            Send a test event
          </button>
        </>
      }
    >
      <ErrorNote error={test.error ?? recover.error} />
      <Listing
        list={list}
        what="deliveries"
        className="rows dispatches"
        empty={
          <Empty icon={Send} guide="webhooks.md" title="No deliveries in the last 30 days">
            <p>Send a test event to see whether the receiver accepts it.</p>
          </Empty>
        }
      >
        {(dispatch) => <DispatchRow projectId={projectId} id={id} dispatch={dispatch} />}
      </Listing>
    </Panel>
  );
}

function DispatchRow({ projectId, id, dispatch }: Properties & { readonly dispatch: WebhookDelivery }) {
  const {
    state,
    type,
    attempts,
    error,
    response,
    payload,
    created_at: created,
    next_attempt_at: next,
  } = dispatch;
  const [title, tone, icon] = STATES[state];
  const resend = useChange(async () => webhooksOf(projectId).resend(id, dispatch.id), {
    affects: webhooksKey(projectId),
    notice: 'The delivery was queued again.',
  });
  return (
    <>
      <div>
        <span className="actions">
          <Badge tone={tone} icon={icon}>
            {title}
          </Badge>
          <code>{type}</code>
        </span>
        <p className="hint">
          <Time at={created} /> · {attemptsText(dispatch)}
          {next !== null && attempts > 0 && <Time before=", next " at={next} />}
        </p>
        {error !== null && <p className="problem">{error}</p>}
        <details>
          <summary>Payload and response</summary>
          <p className="actions hint">
            <code>webhook-id: {dispatch.id}</code>
            <CopyButton text={dispatch.id} what="webhook ID" />
          </p>
          <pre className="box">{payload}</pre>
          {response !== null && response !== '' && (
            <>
              <h3>Response</h3>
              <pre className="box">{response}</pre>
            </>
          )}
        </details>
        <ErrorNote error={resend.error} />
      </div>
      {(state !== 'pending' || attempts > 0) && (
        <button
          type="button"
          className="small"
          aria-label={`Resend ${type} ${dispatch.id}`}
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          <RotateCw />
          Resend
        </button>
      )}
    </>
  );
}

/** Whether a dispatch is due now or in a few seconds. */
function isAboutToBeSent({ next_attempt_at: next }: WebhookDelivery): boolean {
  return next !== null && Date.parse(next) < Date.now() + IDLE_MS;
}
