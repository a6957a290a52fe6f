import * as z from 'zod';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { filledText } from './text.ts';
import { shownText } from './shown-text.ts';

const NAME_MAX = 200;

export const project = z.object({ id: natural(), name: shownText(NAME_MAX), created_at: moment }).meta({
  id: 'Project',
  description: 'Owns config records.',
  examples: [{ id: 1, name: 'Default project', created_at: '2026-03-01T09:30:00.000Z' }],
});

export const projectBody = z
  .object({ name: filledText(NAME_MAX) })
  .meta({ id: 'WriteProject', description: 'The name of a project.' });

export const projectPage = pageOf('ProjectPage', project);

export type WireProject = z.infer<typeof project>;
export type WireProjectPage = z.infer<typeof projectPage>;
