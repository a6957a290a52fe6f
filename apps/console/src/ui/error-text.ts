import { PluginConfigError } from '@plugin-config/client';

/** Returns the errors of a response, or the error itself. */
export function errorsOf(error: Error): readonly { readonly attr: string | null; readonly detail: string }[] {
  if (!(error instanceof PluginConfigError)) return [{ attr: null, detail: error.message }];
  return error.errors.length > 0 ? error.errors : [error];
}

/** Says what is wrong, and with which fields. */
export function errorText(error: Error): string {
  return errorsOf(error)
    .map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`))
    .join(' ');
}
