import { Link } from 'wouter';
import { Title } from '../ui/title.tsx';
import { FAMILIES, familyPath, type FamilyRef } from './addresses.ts';

/** The heading of a family's screen, with a link back to its records. */
export function FamilyHeading({ at, title }: { readonly at: FamilyRef; readonly title: string }) {
  return (
    <>
      <Title>{title}</Title>
      <p>
        <Link href={familyPath(at)}>{FAMILIES[at.family]}</Link>
      </p>
      <h1>{title}</h1>
    </>
  );
}
