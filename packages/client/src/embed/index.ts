export type { EmbedTheme, MessageToPage, MessageToProduct } from './messages.ts';
export { mountPlugins, type MountedPlugins, type MountOptions } from './mount-plugins.ts';
