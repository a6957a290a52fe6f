import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);

/**
 * Follows the Dockerfile in folders of this machine, where no container engine is needed. Returns the folder of each image by the
 * name of its stage; the last stage has none.
 */
export async function buildImages(folder: string): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  const context = join(folder, 'context');
  await mkdir(context);
  await run('sh', ['-c', `git ls-files -z | tar -c --null -T - | tar -x -C ${context}`], { cwd: ROOT });
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'pnpm'), `#!/bin/sh\nexec sh ${ROOT}/tools/pnpm.sh "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, CI: 'true', PATH: `${programs}:${process.env['PATH']}` };
  let [image, workdir] = ['', '/'];
  const text = await readFile(join(context, 'Dockerfile'), 'utf8');
  for (const [, instruction, rest = ''] of text.matchAll(/^([A-Z]+) (.*)$/gm)) {
    const words = rest.split(' ');
    if (instruction === 'FROM') {
      const [base = '', , name = ''] = words;
      image = join(folder, `image-${images.size}`);
      await mkdir(image);
      const earlier = images.get(base);
      if (earlier !== undefined) await copy(`${earlier}/.`, image);
      images.set(name, image);
    } else if (instruction === 'WORKDIR') {
      workdir = rest;
      await mkdir(join(image, workdir), { recursive: true });
    } else if (instruction === 'COPY') {
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
      const paths = words.filter((word) => !word.startsWith('--'));
      const source = from === undefined ? context : (images.get(from) ?? '');
      const target = resolve(workdir, paths.at(-1) ?? '');
      for (const path of paths.slice(0, -1)) await copyInto(join(image, target), join(source, path));
    } else if (instruction === 'RUN' && !rest.startsWith('npm install --global pnpm@')) {
      await run('sh', ['-ec', rest], { cwd: join(image, workdir), env });
    }
  }
  return images;
}

/** Copies a file into a folder, or the contents of a folder, as COPY does. */
async function copyInto(folder: string, source: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const isFolder = (await stat(source)).isDirectory();
  await copy(isFolder ? `${source}/.` : source, isFolder ? folder : join(folder, basename(source)));
}

const copy = async (from: string, to: string): Promise<unknown> => run('cp', ['-a', from, to]);
