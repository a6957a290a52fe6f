import './enabled-switch.css';

interface Properties {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Absent if the key may not change it. */
  readonly onChange?: ((enabled: boolean) => void) | undefined;
}

/** Shows whether a record is enabled, and lets it be changed. */
export function EnabledSwitch({ name, isEnabled, onChange }: Properties) {
  if (onChange === undefined) return isEnabled ? 'Enabled' : 'Disabled';
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      aria-label={`${name} is enabled`}
      checked={isEnabled}
      aria-checked={isEnabled}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
