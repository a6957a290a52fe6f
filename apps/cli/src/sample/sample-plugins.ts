import type { Registration } from '@plugin-config/client';

/** The plugins of the sample, by their ids. */
export const SAMPLE_PLUGINS: Readonly<Record<number, Registration>> = {
  9001: {
    name: 'GeoIP',
    description: 'Adds country and city to each event',
    config_schema: [
      {
        key: 'database',
        type: 'choice',
        name: 'Database',
        choices: ['country', 'city'],
        default: 'country',
        required: true,
      },
      { key: 'overwrite', type: 'boolean', name: 'Replace existing values', default: false },
    ],
  },
  9002: {
    name: 'Webhook',
    description: 'Sends each event to an address',
    url: 'https://example.com/webhook',
    config_schema: [
      { key: 'endpoint', type: 'string', name: 'Address', required: true, hint: 'Takes POST requests' },
      {
        key: 'token',
        type: 'string',
        name: 'Token',
        secret: true,
        hint: 'Sent in the Authorization header',
      },
      { key: 'attempts', type: 'number', name: 'Attempts', default: 3 },
      { key: 'headers', type: 'json', name: 'Further headers', default: {} },
    ],
  },
  9003: {
    name: 'Warehouse export',
    description: 'Writes events to a table, in batches',
    config_schema: [
      { key: 'dataset', type: 'string', name: 'Dataset', required: true },
      { key: 'key_file', type: 'json', name: 'Service account', secret: true },
      { key: 'batch', type: 'number', name: 'Events in a batch', default: 500 },
    ],
  },
};
