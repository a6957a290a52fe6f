import { timedOut } from '@plugin-config/domain';
import { batching, type BatchingOptions } from '@plugin-config/flow/node';
import { activeSpan, onBehalfOf, type Span } from '@plugin-config/tracing';

const CALLERS = { rejection: timedOut, caller: activeSpan, onBehalfOf };

/** Batches items into shared statements. In traces, a statement belongs to all requests that share it. */
export const shareStatements = <Item, Result>(
  options: Omit<BatchingOptions<Item, Result, Span | null>, keyof typeof CALLERS>,
): ((item: Item) => Promise<Result>) => batching({ ...options, ...CALLERS });
