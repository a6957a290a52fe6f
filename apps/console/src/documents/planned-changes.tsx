import type { Plan } from '@plugin-config/client';
import { FAMILIES } from '../shell/addresses.ts';
import { ACTIONS, fieldText, summaryText } from './plan-text.ts';

export function PlannedChanges({ plan }: { readonly plan: Plan }) {
  const { changes, conflicts, warnings } = plan;
  return (
    <div role="status">
      <p>
        <strong>{summaryText(plan)}</strong>
      </p>
      <ul className="planned">
        {changes.map(({ action, family, key, fields }) => (
          <li key={`${family} ${key} ${action}`} className={action}>
            <strong>{ACTIONS[action]}</strong> {key} <span className="hint">({FAMILIES[family]})</span>
            {fields.length > 0 && (
              <dl className="facts">
                {fields.map((field) => (
                  <div key={field.field}>
                    <dt>{field.field}</dt>
                    <dd>{fieldText(field, action)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
      {conflicts.map(({ family, key }) => (
        <p key={`${family} ${key}`}>
          {key} would be deleted but is protected by <code>prevent_destroy</code>. This plan cannot be
          applied.
        </p>
      ))}
      {warnings.map(({ attr, detail }) => (
        <p key={`${attr} ${detail}`}>
          <code>{attr}</code>: {detail}
        </p>
      ))}
    </div>
  );
}
