/** The key of all queries and mutations of a project's documents. */
export const documentsKey = (projectId: number) => ['documents', projectId] as const;
