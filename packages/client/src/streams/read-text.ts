import { PluginConfigError } from '../http/error.ts';

interface Connection {
  /** Names the request in errors. */
  readonly name: string;
  readonly body: ReadableStream<Uint8Array>;
  /** The connection counts as lost if it receives nothing for this long, not even a comment. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Yields the text of an endless body. Throws when the connection is lost or the signal is aborted. */
export async function* readText(connection: Connection): AsyncGenerator<string, never> {
  const { name, body, silenceMs, signal } = connection;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lost = (detail: string, cause?: unknown): PluginConfigError =>
    new PluginConfigError(name, { code: 'unreachable', detail, cause });
  let detail = 'The connection was closed.';
  const end = (): void => void reader.cancel().catch(() => {});
  const endSilent = (): void => {
    detail = `Nothing was received for ${silenceMs} ms.`;
    end();
  };
  signal?.addEventListener('abort', end);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const timer = setTimeout(endSilent, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      signal?.throwIfAborted();
      if (done) throw lost(detail);
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof PluginConfigError ? error : lost('The connection was lost.', error);
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}
