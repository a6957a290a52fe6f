const UNRELEASED = '## Unreleased\n';

/** Returns the changelog with a heading for the release, below an empty section for the next one. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  if (sectionOf(changelog, version) !== null)
    throw new Error(`CHANGELOG.md already has a section ${version}.`);
  if (sectionOf(changelog, 'Unreleased') === '') throw new Error('CHANGELOG.md has no changes to release.');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`);
}

/** Returns the text below the heading of a release, or null if there is none. */
export function sectionOf(changelog: string, title: string): string | null {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.split(/[ \n]/, 1)[0] === title);
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim();
}
