/** SQL that keeps the revisions ended by the changes in `written`. It reads the records in their state before the statement. */
export const KEEP_REVISIONS = `insert into config_revision (
      record_id, number, created_at, actor_key_id, actor_label, request_id, name, description, config
    )
    select r.id, r.revision, coalesce(r.revision_at, r.created_at), r.revision_key_id, coalesce(r.revision_label, 'unknown'),
      r.revision_request_id, r.name, r.description, w.ended_config
    from written w, lateral (select * from config_record r where r.id = w.id limit 1) r
    where w.ends_revision`;
