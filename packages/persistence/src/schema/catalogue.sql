collation search_collation

sequence log_follow_epoch_seq
sequence schema_migration_id_seq

table activity with (autovacuum_vacuum_insert_scale_factor=0.02)
table api_key with (fillfactor=80)
table api_key_project
table audit
table config_family with (fillfactor=10)
table config_record with (fillfactor=80)
  CREATE INDEX config_record_secret_keys_index ON public.config_record USING btree (secret_keys(secrets), id) WHERE ((secrets)::text <> '{}'::text)
  CREATE TRIGGER config_record_plugin_trigger AFTER UPDATE OF plugin ON public.config_record FOR EACH ROW WHEN ((old.plugin IS DISTINCT FROM new.plugin)) EXECUTE FUNCTION note_secrets_of_plugins()
  CREATE TRIGGER config_record_secrets_trigger AFTER UPDATE OF secrets ON public.config_record FOR EACH ROW WHEN (((old.secrets)::text IS DISTINCT FROM (new.secrets)::text)) EXECUTE FUNCTION note_secrets()
table dead_letter with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0)
table delivery_due with (fillfactor=50)
table delivery_minute with (fillfactor=70)
table delivery_report partition by LIST (day)
table delivery_sum partition by RANGE (span)
table edition
table error_report with (fillfactor=50)
table job
table job_queue
table kept_answer
table lineage
table log_announcement
table log_arrival with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0)
table log_block partition by LIST (day)
  prefix collate "C"
table log_day
table log_entry partition by RANGE ("timestamp")
table log_export
table log_follow with (fillfactor=20)
table log_follower
table log_kind
table log_outbox
table managed_record
table plugin
  CREATE TRIGGER plugin_removal_trigger AFTER DELETE ON public.plugin FOR EACH ROW WHEN ((old.sealed_up_to IS NOT NULL)) EXECUTE FUNCTION note_unsealed_secrets()
  CREATE TRIGGER plugin_schema_trigger AFTER UPDATE OF config_schema ON public.plugin FOR EACH ROW WHEN (((old.sealed_up_to IS NOT NULL) AND ((old.config_schema)::text IS DISTINCT FROM (new.config_schema)::text))) EXECUTE FUNCTION note_unsealed_secrets()
table plugin_change
table plugin_registry
table project
table runtime_instance with (fillfactor=50)
table schema_migration
table unmasked_edition
table unmasked_history

function both_keys(text[],text[])
function create_config_records(integer[],bigint[],text[],bigint[],json,integer)
function declared_secrets(json)
function drop_day_tables(date,text[])
function drop_delivery_day(date)
function drop_log_day(date,integer)
function keep_answer(text,bigint,text,bigint,text,text,json)
function kept_answers(bigint,text,bigint)
function kept_bytes(json,text)
function lock_for_batch(integer[],bigint[],text[],bigint[],integer)
function note_keys(bigint[],text[])
function note_secrets()
function note_secrets_of_plugins()
function note_unsealed_secrets()
function queue_job(bigint,text,bigint,bigint[],uuid,json,timestamp with time zone,bigint,text,text,text,text,text,json)
function save_config_records(integer[],bigint[],text[],bigint[],json,integer)
function searched(text)
function secret_keys(json)
