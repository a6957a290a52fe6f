/** The key of whatever is read of the documents of a project, planned and applied. */
export const documentsKey = (projectId: number) => ['documents', projectId] as const;
