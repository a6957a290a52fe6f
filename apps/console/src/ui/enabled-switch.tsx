interface Properties {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Absent if the key is read-only. */
  readonly onChange?: ((enabled: boolean) => void) | undefined;
}

/** Shows whether a record is enabled and lets the user change it. */
export function EnabledSwitch({ name, isEnabled, onChange }: Properties) {
  if (onChange === undefined) return isEnabled ? 'Enabled' : 'Disabled';
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      aria-label={`${name} enabled`}
      checked={isEnabled}
      aria-checked={isEnabled}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
