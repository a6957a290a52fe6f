/** Returns the clause after the name of a table in a DDL statement. */
export function onCluster(cluster: string | null): string {
  return cluster === null ? '' : ` on cluster ${quoted(cluster)}`;
}

export function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;
}
