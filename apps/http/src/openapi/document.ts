import { FAMILY_WORDS } from '@plugin-config/contract';
import { VERSION } from '@plugin-config/server';
import { createDocument, type ZodOpenApiOverrideContext, type ZodOpenApiPathsObject } from 'zod-openapi';
import { endpointPaths, eventSchemas } from './endpoint-paths.ts';
import { SECURITY_SCHEME } from './operation.ts';
import { servicePaths } from './service-paths.ts';
import { webhookRequests } from './webhook-requests.ts';

const DESCRIPTION = `
Attaches plugins to projects: their configuration, order, activity, jobs and logs.

- A trailing slash is optional on every path. \`HEAD\` works wherever \`GET\` does; any other method is rejected with 405 and \`Allow\`.
- Read-only and unknown fields of a body are ignored, so a client can send back what it read. Other fields are validated strictly.
- Unknown and empty query parameters are ignored.
- With \`Prefer: handling=strict\`, unknown fields and parameters are rejected (400), except fields of the response. The response has \`Preference-Applied: handling=strict\`.
- An \`x-request-id\` that matches \`[A-Za-z0-9._-]{1,128}\` becomes the id of the request and is returned.
- Times are UTC. Lengths count Unicode code points.
`.trim();

/** Creates the OpenAPI document from the schemas that also validate requests. */
export function openapiDocument({ publicUrl }: { readonly publicUrl: string | null }) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Plugin configuration',
        version: VERSION,
        description: DESCRIPTION,
        contact: CONTACT,
        license: LICENSE,
      },
      servers: [{ url: publicUrl ?? '/', 'x-internal': false }],
      tags: TAGS,
      paths: PATHS,
      webhooks: webhookRequests,
      components: {
        schemas: eventSchemas(),
        securitySchemes: {
          [SECURITY_SCHEME]: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, issued by an operator of the service or with another key, or a short-lived token of a key.',
          },
        },
      },
    },
    { allowEmptySchema: { custom: true }, override: simplifySchema },
  );
}

const PATHS: ZodOpenApiPathsObject = { ...endpointPaths(), ...servicePaths };

const CONTACT = { name: 'The operator of this service' };
const LICENSE = { name: 'MIT', identifier: 'MIT' };

const TAGS = [
  ...Object.values(FAMILY_WORDS).map(({ tag, description }) => ({ name: tag, description })),
  { name: 'Projects', description: 'Projects own the records.' },
  { name: 'Configuration', description: 'The records of a manager as one document: plan, apply and drift.' },
  { name: 'Alerts', description: 'Rules that open incidents for records, and can disable them.' },
  { name: 'Webhooks', description: 'URLs that receive the events of a project, signed.' },
  { name: 'All projects', description: 'What happens in all projects, for keys that are not bound to any.' },
  {
    name: 'Administration',
    description: 'Keys, projects, registered plugins and the audit log.',
  },
  { name: 'Session', description: 'For the pages of this service: a cookie that replaces the key.' },
  { name: 'Service', description: 'Health, metrics and this document. They need no key.' },
];

const INT32_MAX = 2_147_483_647;

type Schema = ZodOpenApiOverrideContext['jsonSchema'];

/** Shortens a JSON schema, and allows additional properties so responses can gain fields. */
function simplifySchema({ jsonSchema: schema }: ZodOpenApiOverrideContext): void {
  joinNull(schema);
  const isInteger = [schema.type].flat().includes('integer');
  if (isInteger) schema.format = (schema.maximum ?? Infinity) > INT32_MAX ? 'int64' : 'int32';
  if (schema.format === 'date-time' || schema.format === 'uuid') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function joinNull(schema: Schema): void {
  const [nullable, nullType, ...others] = schema.anyOf ?? [];
  if (nullable?.type === undefined || nullType?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  const values = nullable.enum && { enum: [...nullable.enum, null] };
  Object.assign(schema, { ...nullable, ...values, ...schema, type: [nullable.type, 'null'] });
}
