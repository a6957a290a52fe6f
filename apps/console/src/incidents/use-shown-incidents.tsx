import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Segmented } from '../ui/fields.tsx';
import { Empty } from '../ui/states.tsx';
import { useParameter } from '../ui/use-parameter.ts';

type Shown = 'open' | 'all';

const SHOWN = [
  ['open', 'Open', 'Open'],
  ['all', 'All', 'All'],
] as const;

/** Whether closed incidents are shown too, as the address says. */
export function useShownIncidents() {
  const [show, setShow] = useParameter('show');
  const shown: Shown = show === 'all' ? 'all' : 'open';
  const choose = (value: Shown): void => setShow(value === 'all' ? value : '');
  return {
    shown,
    filter: shown === 'open' ? { open: true } : {},
    choice: <Segmented label="Incidents" value={shown} options={SHOWN} onChange={choose} />,
  };
}

/** Says that there are no incidents. */
export function NoIncidents({ shown, children }: { readonly shown: Shown; readonly children?: ReactNode }) {
  return (
    <Empty
      icon={ShieldCheck}
      guide="alerts.md"
      title={shown === 'open' ? 'No open incidents' : 'No incidents in the last 90 days'}
    >
      <p>An incident is open while a record breaches the rule of an alert.</p>
      {children}
    </Empty>
  );
}
