import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Segmented } from '../ui/fields.tsx';
import { Empty } from '../ui/states.tsx';

type Shown = 'open' | 'all';

const SHOWN = [
  ['open', 'Open', 'Open'],
  ['all', 'All', 'All'],
] as const;

/** Whether closed incidents are shown too, as the address says. */
export function useShownIncidents() {
  const [search, setSearch] = useSearchParams();
  const shown: Shown = search.get('show') === 'all' ? 'all' : 'open';
  const choose = (value: Shown): void => {
    const next = new URLSearchParams(search);
    next.delete('show');
    if (value === 'all') next.set('show', value);
    setSearch(next);
  };
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
