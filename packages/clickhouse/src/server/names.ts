/** Continues the name of a table in a statement about its definition. */
export function onCluster(cluster: string | null): string {
  return cluster === null ? '' : ` on cluster ${quoted(cluster)}`;
}

export function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;
}
