/** Writes a document as YAML that older parsers read in the same way. */
export async function yamlOf(document: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
