import { pageQuery, project, projectPage, projectParams } from '@plugin-config/contract';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { answer, operation } from './operation.ts';

const tag = 'Projects';

export const projectPaths: ZodOpenApiPathsObject = {
  '/api/projects': {
    get: operation({
      operationId: 'list_projects',
      tag,
      summary: 'List the projects that the key may see',
      query: pageQuery,
      answers: { 200: answer('One page of the projects.', projectPage) },
    }),
  },
  '/api/projects/{project_id}': {
    get: operation({
      operationId: 'retrieve_project',
      tag,
      summary: 'Retrieve a project',
      path: projectParams,
      answers: { 200: answer('The project.', project) },
    }),
  },
};
