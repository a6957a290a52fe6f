-- oldest code: 0003-administration
-- From the entities.
create table "delivery_minute" ("minute" timestamptz(3) not null, "record_id" bigint not null, "successes" bigint not null, "successes_on_retry" bigint not null, "failures" bigint not null, primary key ("minute", "record_id"));

-- By hand: room for new versions of rows beside the old ones.
alter table "delivery_minute" set (fillfactor = 70);
