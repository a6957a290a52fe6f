/** The query key prefix of the alerts of a project and their incidents. */
export const alertsKey = (projectId: number) => ['alerts', projectId] as const;

/** How often lists of incidents are read: the stream doesn't send incidents. */
export const REFRESH_MS = 15_000;
