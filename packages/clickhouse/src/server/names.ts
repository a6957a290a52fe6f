/** Returns the `on cluster` clause of a DDL statement; empty for a single server. */
export function onCluster(cluster: string | null): string {
  return cluster === null ? '' : ` on cluster ${quoted(cluster)}`;
}

export function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;
}
