import type { EmbedTheme, MessageToPage, MessageToProduct } from '@plugin-config/client/embed';

/** The look that the product wants. */
export interface Look {
  readonly theme: EmbedTheme;
  readonly lang: string;
}

/** The product whose page shows this one. */
export interface Product {
  /** Resolves once the product has said hello. */
  readonly hello: Promise<unknown>;
  /** Resolves to a token for the project, once the product has said hello and has one. */
  readonly askForToken: () => Promise<string>;
  readonly post: (message: MessageToProduct) => void;
}

/** How long the product has to respond. */
const WAIT_MS = 15_000;

/**
 * Talks to the page that embeds this one, if its origin is among `origins`. Nothing is sent before that page has said hello, and
 * nothing to any other origin.
 */
export function connectToProduct(
  own: Window,
  origins: ReadonlySet<string>,
  onLook: (look: Look) => void,
): Product {
  const { parent } = own;
  const hello = Promise.withResolvers<undefined>();
  let origin: string | null = null;
  let onToken: (token: string | null) => void = () => {};
  own.addEventListener('message', ({ source, origin: sender, data }: MessageEvent<unknown>) => {
    if (parent === own || source !== parent || !origins.has(sender)) return;
    if (origin !== null && sender !== origin) return;
    const message = messageOf(data);
    if (message?.type === 'plugin-config:hello') {
      origin = sender;
      hello.resolve(undefined);
      onLook(lookOf(message));
    }
    if (message?.type === 'plugin-config:token' && origin !== null) {
      onToken(typeof message.token === 'string' ? message.token : null);
    }
  });
  const post = (message: MessageToProduct): void => {
    if (origin !== null) parent.postMessage(message, origin);
  };
  return {
    hello: hello.promise,
    post,
    askForToken: async () => {
      await inTime(hello.promise);
      const token = new Promise<string | null>((resolve) => {
        onToken = resolve;
      });
      post({ type: 'plugin-config:token-wanted' });
      const given = await inTime(token);
      if (given === null) throw new Error('The product has no token.');
      return given;
    },
  };
}

/** Tells the product how high the content is, whenever that changes. */
export async function reportHeight(root: Element, { hello, post }: Product): Promise<void> {
  await hello;
  new ResizeObserver(() => {
    post({ type: 'plugin-config:height', height: Math.ceil(root.getBoundingClientRect().height) });
  }).observe(root);
}

function messageOf(data: unknown): MessageToPage | null {
  return isObject(data) && 'type' in data ? (data as MessageToPage) : null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function lookOf({ theme, lang }: Extract<MessageToPage, { readonly theme: EmbedTheme }>): Look {
  return { theme: isObject(theme) ? theme : {}, lang: typeof lang === 'string' ? lang : 'en' };
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('The product does not respond.')), WAIT_MS);
  return Promise.race([promise, timeout.promise]).finally(() => clearTimeout(timer));
}
