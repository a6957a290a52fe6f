-- oldest code: 0003-administration
-- From the entities.
create table "edition" ("record_id" bigint not null, "number" bigint not null, "created_at" timestamptz(3) not null, "actor_key_id" bigint null, "actor_label" text not null, "request_id" text null, "name" text null, "description" text null, "config" text null, primary key ("record_id", "number"));

create table "unmasked_edition" ("record_id" bigint not null, "key" text not null, "up_to" bigint not null default 0, primary key ("record_id", "key"));

alter table "config_record" add "edition" bigint not null default 1, add "edition_at" timestamptz(3) null, add "edition_key_id" bigint null, add "edition_label" text null, add "edition_request_id" text null;

alter table "unmasked_edition" add constraint "unmasked_edition_record_id_fkey" foreign key ("record_id") references "config_record" ("id") on update no action on delete no action;
