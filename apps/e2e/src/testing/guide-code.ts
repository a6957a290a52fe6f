import { readFile } from 'node:fs/promises';

/** Returns the code block of a page in `docs` that is in this language and contains the text. */
export async function guideCode(page: string, language: string, part: string): Promise<string> {
  const guide = await readFile(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(?<code>.*?)^\`\`\`$`, 'gms'))];
  const found = blocks.map(({ groups }) => groups?.['code'] ?? '').find((code) => code.includes(part));
  if (found === undefined) throw new Error(`${page} has no code with: ${part}`);
  return found;
}
