/** The counter of the registrations and removals of plugins. */
export const PLUGIN_REGISTRY: readonly string[] = [
  `create table plugin_registry (
    id integer not null constraint plugin_registry_pkey primary key,
    registrations bigint not null,
    constraint plugin_registry_id_check check (id = 1)
  )`,
];
