import { endpointGroup } from '../endpoint.ts';
import { etagOfStored } from '../headers.ts';
import { pageQuery } from '../page.ts';
import { restoredRecord, revision, revisionPage } from '../revision.ts';

const ALL = '/api/projects/:project_id/:family/:id/revisions';
const ONE = `${ALL}/:revision` as const;

/** The endpoints that list, retrieve and restore revisions of a record. */
export const revisionEndpoints = endpointGroup({
  listRevisions: {
    method: 'GET',
    path: ALL,
    client: 'revisions',
    summary: 'List the revisions of a record',
    description: 'Newest first. The first revision on the first page is the current state of the record.',
    scope: 'plugin:read',
    query: pageQuery,
    responses: { 200: { description: 'One page of the revisions.', body: revisionPage } },
  },

  retrieveRevision: {
    method: 'GET',
    path: ONE,
    client: 'revision',
    summary: 'Retrieve a revision of a record',
    scope: 'plugin:read',
    responses: { 200: { description: 'The revision.', body: revision } },
  },

  restoreRevision: {
    method: 'POST',
    path: `${ONE}/restore`,
    summary: 'Restore a revision of a record',
    description:
      'Sets the name, description and configuration of the record to those of the revision, as a new revision. Nothing else ' +
      'changes, and secrets keep their current values. The configuration is checked against the current schema of the plugin.',
    scope: 'plugin:write',
    work: 'large',
    condition: 'If-Match',
    idempotent: true,
    responses: {
      200: {
        description: 'The restored record, and the secrets that it lacks.',
        body: restoredRecord,
        headers: { ETag: etagOfStored },
      },
    },
  },
});
