import type { Call, ChangeOptions, ReadOptions, RequestOptions, WriteOptions } from './calls/call.ts';
import { listing, type Listing } from './calls/listing.ts';
import type {
  Alert,
  AlertChange,
  AlertPreview,
  Incident,
  IncidentQuery,
  NewAlert,
  PageQuery,
  PreviewedAlert,
} from './wire.ts';

const ALL = '/api/projects/:project_id/alerts';
const ONE = `${ALL}/:alert_id` as const;

/** The alerts of a project. */
export interface Alerts {
  list(query?: PageQuery, options?: RequestOptions): Listing<Alert>;
  /** Creates an alert. Its name must be unique within the project. */
  create(alert: NewAlert, options?: ChangeOptions): Promise<Alert>;
  retrieve(id: number, options?: ReadOptions<Alert>): Promise<Alert>;
  /** Changes only the given fields. A change to anything but the name closes the open incidents of the alert. */
  update(id: number, change: AlertChange, options?: WriteOptions): Promise<Alert>;
  /** Deletes the alert, and closes its open incidents. */
  delete(id: number, options?: WriteOptions): Promise<void>;
  /** Returns the incidents that the alert would have opened in the last 24 hours. Stores nothing. */
  preview(alert: PreviewedAlert, options?: RequestOptions): Promise<AlertPreview>;
  /** Lists the incidents of an alert: open ones first, then the newest. */
  incidents(id: number, query?: IncidentQuery, options?: RequestOptions): Listing<Incident>;
}

/** @internal */
export function projectAlerts(call: Call, project: number | '@current'): Alerts {
  const all = { project_id: project };
  const one = (id: number) => ({ ...all, alert_id: id });
  return {
    list: (query, options) => listing(call, `GET ${ALL}`, { params: all, query }, options),
    create: async (body, options) => call(`POST ${ALL}`, { params: all, body }, options),
    retrieve: async (id, options) => call(`GET ${ONE}`, { params: one(id) }, options),
    update: async (id, body, options) => call(`PATCH ${ONE}`, { params: one(id), body }, options),
    delete: async (id, options) => call(`DELETE ${ONE}`, { params: one(id) }, options),
    preview: async (body, options) => call(`POST ${ALL}/preview`, { params: all, body }, options),
    incidents: (id, query, options) =>
      listing(call, `GET ${ONE}/incidents`, { params: one(id), query }, options),
  };
}
