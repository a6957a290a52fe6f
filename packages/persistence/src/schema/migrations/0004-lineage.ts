/** Table of the lineages of the database: the first process that connects after a promotion begins one. */
export const LINEAGE: readonly string[] = [
  `create table lineage (
    system bigint not null,
    database oid not null,
    timeline integer not null,
    token text not null,
    constraint lineage_pkey primary key (system, database, timeline)
  )`,
];
