import type { ConfigRecord } from '@plugin-config/client';
import { useEnabling } from '../pipeline/use-enabling.ts';
import { recordName } from '../record/plugin-info.ts';
import { useMayConfigure } from '../session/session.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';

/** Shows whether a plugin is enabled, and changes it if the token allows that. */
export function Enabled({ at, record }: { readonly at: FamilyRef; readonly record: ConfigRecord }) {
  const mayConfigure = useMayConfigure();
  const enabling = useEnabling(at, record);
  return (
    <EnabledSwitch
      name={recordName(record)}
      isEnabled={enabling.isEnabled}
      onChange={mayConfigure ? (enabled) => enabling.mutate(enabled) : undefined}
    />
  );
}
