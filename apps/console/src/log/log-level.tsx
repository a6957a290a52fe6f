import { Bug, Circle, CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';

/** The shape of each level, which identifies it without its colour. */
const ICONS: Readonly<Partial<Record<string, LucideIcon>>> = {
  DEBUG: Bug,
  INFO: Info,
  WARN: TriangleAlert,
  ERROR: CircleX,
};

/** The type of an entry. */
export function LogLevel({ type }: { readonly type: string }) {
  const Icon = ICONS[type] ?? Circle;
  return (
    <span className="log-level with-icon" data-type={type}>
      <Icon />
      {type}
    </span>
  );
}
