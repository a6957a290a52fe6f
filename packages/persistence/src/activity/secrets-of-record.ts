import { secretFields, type ConfigField } from '@plugin-config/domain';

/** What is secret in a record: of its plugin, in its configuration, and what is not masked yet in its past. */
interface SecretsOfRecord {
  readonly schema: readonly ConfigField[] | null;
  readonly keys: readonly string[];
}

type Notes = 'unmasked_history' | 'unmasked_edition';

/** The query of the keys of a record `r` that are secret in its configuration, or noted in this table or for its plugin. */
export function secretKeysOf(notes: Notes): string {
  return `select json_object_keys(r.secrets)
    union select unnest(n.keys) from ${notes} n where n.record_id = r.id
    union select unnest(c.secrets) from plugin_change c where c.plugin = r.plugin`;
}

/** The SQL of what is secret in a record `r` of a plugin `p`, as JSON, beside the notes of this table. */
export function secretsOfRecord(notes: Notes): string {
  return `json_build_object('schema', p.config_schema, 'keys', array(
      ${secretKeysOf(notes)}
    ))`;
}

/** Reads that JSON: the secret keys. */
export function secretKeysIn(json: unknown): ReadonlySet<string> {
  const secrets = json as SecretsOfRecord | null;
  const configSchema = secrets?.schema ?? [];
  return new Set([...secretFields({ configSchema }), ...(secrets?.keys ?? [])]);
}
