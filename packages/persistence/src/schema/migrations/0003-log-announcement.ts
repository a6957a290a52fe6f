/** The table of the announcements that are committed, for logs whose entries are not in PostgreSQL. */
export const LOG_ANNOUNCEMENT: readonly string[] = [
  `create table log_announcement (id bigint not null constraint log_announcement_pkey primary key)`,
];
