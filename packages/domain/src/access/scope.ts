export const SCOPES = [
  'plugin:read',
  'plugin:write',
  'plugin_log:write',
  'key:write',
  'project:write',
  'plugin_registry:write',
  '*',
] as const;

export type Scope = (typeof SCOPES)[number];

/** `*` includes every scope, and `plugin:write` includes `plugin:read`. */
export function grantsScope(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true;
  return needed === 'plugin:read' && granted.includes('plugin:write');
}
