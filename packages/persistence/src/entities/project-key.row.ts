import { defineEntity, p } from '@mikro-orm/core';

/** The data key that encrypts the configurations of a project. They are lost without it. */
export const ProjectKeyRow = defineEntity({
  name: 'ProjectKeyRow',
  tableName: 'project_key',
  properties: {
    /** Identifies the data key in each ciphertext. */
    id: p.integer().primary().generated('by default as identity'),
    /** No foreign key: 0 is the service's own key, for data without a project. */
    projectId: p.bigint('number').unique('project_key_project_id_key'),
    /** The data key, encrypted with the master key. */
    wrapped: p.blob().$type<Buffer>(),
    masterKeyId: p.text(),
  },
});
