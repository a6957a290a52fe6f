collation search_collation

sequence log_follow_epoch_seq
sequence schema_migration_id_seq

table activity with (autovacuum_vacuum_insert_scale_factor=0.02)
  CREATE TRIGGER activity_dispatches AFTER INSERT ON public.activity REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION dispatch_record_events()
table alert with (fillfactor=50)
table alert_state with (fillfactor=70)
table api_key with (fillfactor=80)
table api_key_project
table audit
table config_family with (fillfactor=10)
table config_record with (fillfactor=80)
table config_revision
table dead_letter with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0)
table delivery_due with (fillfactor=50)
table delivery_report partition by LIST (day_number)
table delivery_report_0
table delivery_report_1
table delivery_report_2
table delivery_report_3
table delivery_report_4
table delivery_sum with (fillfactor=70)
table erasure
table error_report with (fillfactor=50)
table exchanged_token
table failed_delivery
table incident
table job
table kept_response
table log_day
table log_entry partition by RANGE ("timestamp")
table log_follow with (fillfactor=20)
table log_follower
table log_hour with (fillfactor=70)
table log_project_delta with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0)
table log_project_hour with (fillfactor=70)
table log_sequence with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_cost_delay=0)
table log_usage with (fillfactor=50)
table managed_record
table plugin
table plugin_registry
table plugin_upgrade
table plugin_version
table project
table project_key
table runtime_host with (fillfactor=50)
table runtime_instance with (fillfactor=50)
table schema_migration
table task
  lane collate "C"
table timeline
table webhook with (fillfactor=50)
table webhook_dispatch

function create_config_records(integer[],bigint[],text[],bigint[],json,integer)
function described_event(text,bigint,bigint,integer)
function dispatch_key(bigint,text)
function dispatch_record_events()
function drop_log_day(date,integer)
function keep_response(text,bigint,text,bigint,text,json)
function kept_bytes(json)
function kept_responses(bigint,text,bigint)
function lock_for_batch(integer[],bigint[],text[],bigint[],integer)
function queue_dispatches(bigint[],text[],text[],text[],bigint[],integer[])
function queue_job(bigint,text,bigint,bigint[],uuid,bytea,integer,timestamp with time zone,bigint,text,json,text,text,text,json,integer,text,integer,text)
function save_config_records(integer[],bigint[],text[],bigint[],json,integer)
function searched(text)
function state_of_log_day(date)
function take_out_log_day(date,integer,text)
function waiting_dispatches(bigint,bigint)
