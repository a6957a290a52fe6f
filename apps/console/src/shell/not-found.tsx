import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { Empty } from '../ui/states.tsx';
import { Heading } from './heading.tsx';

/** Shown at an address without a screen, or whose item does not exist. */
export function NotFound() {
  return (
    <>
      <Heading title="Page not found" />
      <Empty icon={Compass} title="There is nothing at this address">
        <p>The link may be wrong, or the item no longer exists.</p>
        <Link href="/" className="button">
          Go to projects
        </Link>
      </Empty>
    </>
  );
}
