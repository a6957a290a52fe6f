import { Migration } from '@mikro-orm/migrations';

/** The table of the announcements that are committed, for logs whose entries are not in PostgreSQL. */
export class LogAnnouncementMigration extends Migration {
  override up(): void {
    this.addSql(
      `create table log_announcement (id bigint not null constraint log_announcement_pkey primary key)`,
    );
  }
}
