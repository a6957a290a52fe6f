/** The query key prefix of the alerts of a project and their incidents. */
export const alertsKey = (projectId: number) => ['alerts', projectId] as const;
