import { afterAttempt, reasonToDisable, type AttemptOutcome } from './dispatch.ts';
import type { RunningDispatch, DispatchSettlement, DispatchRunStore } from './dispatch-run-store.ts';
import type { WebhookSender } from './webhook-sender.ts';

interface Dependencies {
  readonly runs: Pick<DispatchRunStore, 'settle'>;
  readonly sender: WebhookSender;
}

interface AttemptReport extends DispatchSettlement {
  /** False if the claim was no longer current. Another worker attempts the dispatch. */
  readonly isStored: boolean;
}

/** Sends a dispatch, decides what happens next, and stores the result. */
export async function attemptDispatch(
  { runs, sender }: Dependencies,
  dispatch: RunningDispatch,
): Promise<AttemptReport> {
  const outcome = await outcomeOf(sender, dispatch);
  const settlement = {
    outcome,
    verdict: afterAttempt(dispatch.attempts, outcome),
    disable: reasonToDisable(outcome, dispatch.failingSince, dispatch.at),
  };
  return { ...settlement, isStored: await runs.settle(dispatch, settlement) };
}

function outcomeOf(
  sender: WebhookSender,
  { target, id, at, payload }: RunningDispatch,
): Promise<AttemptOutcome> | AttemptOutcome {
  if (target instanceof Error) {
    return {
      status: null,
      error: 'The URL could not be decrypted.',
      response: null,
      retryAfterMs: null,
      hasTimedOut: false,
    };
  }
  return sender.send(target, { id, timestamp: at, payload });
}
