import { Migration } from '@mikro-orm/migrations';

const TABLES = [
  `create table log_day (
    day date not null constraint log_day_pkey primary key,
    dropped boolean not null default false
  )`,

  `create table log_kind (
    record_id bigint not null constraint log_kind_pkey primary key,
    kinds text[] not null
  )`,

  `create table log_entry (
    record_id bigint not null,
    timestamp timestamptz(3) not null,
    id uuid not null,
    instance_id uuid not null,
    plugin integer not null,
    kind integer not null,
    message text not null,
    constraint log_entry_pkey primary key (record_id, timestamp, id)
  ) partition by range (timestamp)`,
  `create index log_entry_kind_index on log_entry (record_id, kind, timestamp, id)`,

  `create table log_block (
    day date not null,
    record_id bigint not null,
    depth smallint not null,
    prefix text collate "C" not null,
    total bigint not null,
    counts bigint[] not null,
    split boolean not null default false,
    constraint log_block_pkey primary key (record_id, depth, prefix, day)
  ) partition by list (day)`,

  `create table delivery_report (
    day date not null,
    id uuid not null,
    constraint delivery_report_pkey primary key (id, day)
  ) partition by list (day)`,

  `create table delivery_sum (
    record_id bigint not null,
    span timestamptz(3) not null,
    successes bigint not null,
    successes_on_retry bigint not null,
    failures bigint not null,
    constraint delivery_sum_pkey primary key (record_id, span)
  ) with (fillfactor = 70)`,
  `create index delivery_sum_span_index on delivery_sum (span)`,

  `create table delivery_due (
    record_id bigint not null constraint delivery_due_pkey primary key,
    due_at timestamptz(3) not null,
    changes bigint not null
  ) with (fillfactor = 50)`,
  `create index delivery_due_index on delivery_due (due_at)`,

  `create table dead_letter (
    id bigint generated always as identity constraint dead_letter_pkey primary key,
    received_at timestamptz(3) not null,
    reason text not null,
    channel text not null,
    stream_time timestamptz(3),
    project_ids bigint[] not null,
    text text not null,
    missing integer not null
  )`,
];

/** Days, entries, counters, reports and dead letters. The partitions are made by the worker, day by day. */
export class LogMigration extends Migration {
  override up(): void {
    for (const sql of TABLES) this.addSql(sql);
  }
}
