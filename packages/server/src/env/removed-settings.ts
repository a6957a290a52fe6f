const MORE_REPLICAS =
  'each app is one process. For more cores, run more replicas behind the balancer of deploy/README.md.';

/** What to do instead of a setting that is gone: whoever still sets it expects something that no longer happens. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  HTTP_PROCESSES: MORE_REPLICAS,
  WORKER_PROCESSES: MORE_REPLICAS,
};
