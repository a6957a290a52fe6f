import type { EmbedTheme, MessageToPage, MessageToProduct } from './messages.ts';

export interface MountOptions {
  /** The URL of the HTTP app, such as `https://plugins.example.com`. Its `EMBED_ORIGINS` must include the origin of this page. */
  readonly url: string;
  /** The project to show, by its id or `ext:` and its external id. */
  readonly project: number | `ext:${string}`;
  /**
   * Returns a token for this project, from your own server. Called when the page has loaded, and again before each token ends.
   * If it rejects, the page says so and offers to try again.
   */
  readonly token: () => Promise<string>;
  readonly theme?: EmbedTheme | undefined;
  /** The language of the page for assistive technology, such as `en`. Its texts are English. */
  readonly lang?: string | undefined;
  /** The accessible name of the frame. Defaults to `Plugins`. */
  readonly title?: string | undefined;
}

export interface MountedPlugins {
  /** Changes how the page looks. */
  setTheme(theme: EmbedTheme): void;
  /** Removes the page. */
  unmount(): void;
}

const HEIGHT_PX = { first: 400, max: 20_000 };

/** Shows the plugins of a project in an element. The page is as wide as the element and as high as its content. */
export function mountPlugins(element: Element, options: MountOptions): MountedPlugins {
  const { url, project, token, lang = null, title = 'Plugins' } = options;
  let { theme = {} } = options;
  const base = new URL(url.replace(/\/*$/, '/'));
  const frame = element.ownerDocument.createElement('iframe');
  frame.title = title;
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'no-referrer';
  frame.style.cssText = `display: block; width: 100%; height: ${HEIGHT_PX.first}px; border: 0; color-scheme: light dark`;
  frame.src = new URL(`embed/${encodeURIComponent(project)}`, base).href;
  const post = (message: MessageToPage): void => frame.contentWindow?.postMessage(message, base.origin);
  const greet = (): void => post({ type: 'plugin-config:hello', theme, lang });
  const sendToken = (): void => {
    token()
      .then((value) => post({ type: 'plugin-config:token', token: value }))
      .catch((error: unknown) => {
        post({ type: 'plugin-config:token', token: null });
        reportError(error);
      });
  };
  const onMessage = ({ source, origin, data }: MessageEvent<MessageToProduct | null>): void => {
    if (source === null || source !== frame.contentWindow || origin !== base.origin) return;
    if (data?.type === 'plugin-config:token-wanted') sendToken();
    if (data?.type === 'plugin-config:height' && data.height >= 0)
      frame.style.height = `${Math.min(data.height, HEIGHT_PX.max)}px`;
  };
  frame.addEventListener('load', greet);
  window.addEventListener('message', onMessage);
  element.append(frame);
  return {
    setTheme(next) {
      theme = next;
      greet();
    },
    unmount() {
      window.removeEventListener('message', onMessage);
      frame.remove();
    },
  };
}
