/** How the embedded page looks. */
export interface EmbedTheme {
  /** Defaults to `auto`, which follows the browser. */
  readonly colorScheme?: 'light' | 'dark' | 'auto' | undefined;
  /** A colour such as `#0a7d5a`. Where its contrast is too low, the page makes it darker or lighter. */
  readonly accent?: string | undefined;
  /** The radius of corners in pixels, up to 24. */
  readonly radius?: number | undefined;
  /** A list of fonts as in CSS. The page loads none: it uses those that the user has. */
  readonly font?: string | undefined;
}

/** What the product sends to the embedded page. */
export type MessageToPage =
  /** Sent whenever the page has loaded, and when the theme changes. Before the first one, the page sends nothing. */
  | { readonly type: 'plugin-config:hello'; readonly theme: EmbedTheme; readonly lang: string | null }
  /** The response to `token-wanted`; null if there is no token. */
  | { readonly type: 'plugin-config:token'; readonly token: string | null };

/** What the embedded page sends to the product. */
export type MessageToProduct =
  | { readonly type: 'plugin-config:token-wanted' }
  /** The height of the content in pixels. */
  | { readonly type: 'plugin-config:height'; readonly height: number };
