-- From the entities.
alter table "plugin_change" add "secrets" text[] not null default '{}';

-- By hand: one row for each record, in place of one for each of its keys.
alter table "unmasked_history" add "keys" text[] null;
update "unmasked_history" n set keys = array(select o.key from "unmasked_history" o where o.record_id = n.record_id), up_to = 0;
delete from "unmasked_history" n using "unmasked_history" o where o.record_id = n.record_id and o.key < n.key;
alter table "unmasked_history" drop "key", alter "keys" set not null, add primary key ("record_id");

alter table "unmasked_edition" add "keys" text[] null;
update "unmasked_edition" n set keys = array(select o.key from "unmasked_edition" o where o.record_id = n.record_id), up_to = 0;
delete from "unmasked_edition" n using "unmasked_edition" o where o.record_id = n.record_id and o.key < n.key;
alter table "unmasked_edition" drop "key", alter "keys" set not null, add primary key ("record_id");

-- By hand: the triggers.
create trigger config_record_plugin_trigger after update of plugin on config_record
for each row when (old.plugin is distinct from new.plugin) execute function note_secrets_of_plugins();

create trigger plugin_schema_trigger after update of config_schema on plugin
for each row when (old.sealed_up_to is not null and old.config_schema::text is distinct from new.config_schema::text)
execute function note_unsealed_secrets();

create trigger plugin_removal_trigger after delete on plugin
for each row when (old.sealed_up_to is not null) execute function note_unsealed_secrets();

-- Records that attached their plugin before these triggers: sealing goes over them again, and notes what is secret in them.
update plugin set sealed_up_to = 0
where sealed_up_to is null and exists (select from declared_secrets(config_schema));
