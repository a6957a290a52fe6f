-- oldest code: 0003-administration
-- From the entities.
create table "managed_record" ("record_id" bigint not null, "project_id" bigint not null, "family" text not null, "manager" text not null, "key" text not null, "prevent_destroy" boolean not null, "applied_version" bigint not null, "applied_entry" bigint not null, primary key ("record_id"));
alter table "managed_record" add constraint "managed_record_key_key" unique ("project_id", "family", "manager", "key");

alter table "activity" add "apply_id" uuid null;

alter table "managed_record" add constraint "managed_record_record_id_fkey" foreign key ("record_id") references "config_record" ("id") on update no action on delete no action;
alter table "managed_record" add constraint "managed_record_family_fkey" foreign key ("project_id", "family") references "config_family" ("project_id", "family") on update no action on delete no action;
