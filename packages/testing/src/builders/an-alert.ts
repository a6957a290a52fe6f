import type { Alert, AlertRule, FamilyRef } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor } from './an-author.ts';

export function anAlertRule(given: Partial<AlertRule> = {}): AlertRule {
  return {
    name: 'Errors',
    family: 'plugin_configs',
    recordId: null,
    plugin: null,
    signal: 'error',
    threshold: null,
    windowMinutes: 15,
    minSamples: 0,
    required: { n: 1, m: 1 },
    action: 'notify',
    enabled: true,
    ...given,
  };
}

/** Creates an alert on the records of the family, by default with a unique name. It is due at the time `at`. */
export async function anAlert(
  { alerts }: Pick<Ports, 'alerts'>,
  { projectId, family }: FamilyRef,
  { at, ...given }: Partial<AlertRule> & { readonly at?: Date } = {},
): Promise<Alert> {
  const author = anAuthor(at === undefined ? {} : { at });
  const name = `Errors ${crypto.randomUUID()}`;
  return alerts.create(projectId, anAlertRule({ name, family, ...given }), author);
}
