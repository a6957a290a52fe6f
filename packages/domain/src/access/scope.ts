export const SCOPES = ['plugin:read', 'plugin:write', 'plugin_log:write', '*'] as const;

export type Scope = (typeof SCOPES)[number];

/** `*` holds everything, and who may write may read. */
export function holdsScope(held: readonly Scope[], needed: Scope): boolean {
  if (held.includes('*') || held.includes(needed)) return true;
  return needed === 'plugin:read' && held.includes('plugin:write');
}
