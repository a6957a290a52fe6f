import { timedOut } from '@plugin-config/domain';
import { batching, type BatchingOptions } from '@plugin-config/flow/node';
import { activeSpan, share, type Span } from '@plugin-config/tracing';

const CALLERS = { rejection: timedOut, caller: activeSpan, onBehalfOf: share };

/** Batches what is asked into statements. Each is a step of all requests that share it. */
export const shareStatements = <Item, Answer>(
  options: Omit<BatchingOptions<Item, Answer, Span | null>, keyof typeof CALLERS>,
): ((item: Item) => Promise<Answer>) => batching({ ...options, ...CALLERS });
