import type { serviceEndpoints } from '@plugin-config/contract';
import { projectIncidentsHandler, type AlertDependencies } from '../alert/alert-handlers.ts';
import { projectErrorsHandler, type ErrorDependencies } from '../delivery/delivery-handlers.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { projectRuntimesHandler, type RuntimeDependencies } from '../runtime/runtime-handlers.ts';

/** The handlers for all projects at once. */
export function serviceHandlers(
  dependencies: AlertDependencies & ErrorDependencies & Pick<RuntimeDependencies, 'runtimes'>,
): Handlers<typeof serviceEndpoints> {
  return {
    listProjectErrors: projectErrorsHandler(dependencies),
    listProjectIncidents: projectIncidentsHandler(dependencies),
    listProjectRuntimes: projectRuntimesHandler(dependencies),
  };
}
