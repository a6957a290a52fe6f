/** The key of all queries of the registry. */
export const PLUGINS_KEY = ['plugins'] as const;

export const pluginKey = (id: number) => [...PLUGINS_KEY, id] as const;
