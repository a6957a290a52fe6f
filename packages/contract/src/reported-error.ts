import * as z from 'zod';
import { familyName } from './family.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { idParameter, orNull, parameter, RAW_TEXT } from './parameter.ts';
import { pluginParameter } from './record-fields.ts';
import { responseMessage } from './response-text.ts';
import { pluginSubject, projectSubject, recordSubject } from './subject.ts';

export const reportedErrorQuery = z
  .object({
    ...pageParameters,
    record: idParameter.meta({ description: 'Only the error of this record.' }),
  })
  .transform(({ record, ...page }) => ({ ...page, recordId: record }));

const fields = {
  error: responseMessage.meta({
    description: 'The last error that the plugin reported, as in the record.',
    examples: ['Connection refused'],
  }),
  reported_at: moment.meta({ description: 'When it happened, according to the plugin.' }),
};

export const reportedError = z
  .object({
    record: natural().meta({ description: 'Identifier of the record.', examples: [42] }),
    ...fields,
  })
  .meta({
    id: 'ReportedError',
    description: 'The last error of a record and its time.',
  });

export const reportedErrorPage = pageOf('ReportedErrorPage', reportedError);

/** The time and the record of the last error of a page. */
const CURSOR = /^(\d{1,14})\.(\d{1,16})$/;
const CURSOR_MAX = 31;

/** Returns the cursor of the page after an error. */
export function errorCursor({ at, recordId }: ErrorPlace): string {
  return `${at.getTime()}.${recordId}`;
}

interface ErrorPlace {
  readonly at: Date;
  readonly recordId: number;
}

function placeOf(cursor: string): ErrorPlace {
  const [, at, recordId] = CURSOR.exec(cursor) ?? [];
  return { at: new Date(Number(at)), recordId: Number(recordId) };
}

const cursor = z
  .string()
  .regex(CURSOR, 'The cursor in `next` of the previous page is required.')
  .meta({ maxLength: CURSOR_MAX });

export const projectErrorQuery = z
  .object({
    limit: pageParameters.limit,
    after: parameter(orNull(cursor), RAW_TEXT).meta({
      description: 'The cursor of a page, as in `next` of the previous one.',
    }),
    plugin: pluginParameter.meta({ description: 'Only errors of records that attach this plugin.' }),
  })
  .transform(({ after, ...query }) => ({ ...query, after: after === null ? null : placeOf(after) }));

export const projectError = z
  .object({
    project: projectSubject,
    family: familyName,
    record: recordSubject,
    plugin: pluginSubject,
    ...fields,
  })
  .meta({
    id: 'ProjectError',
    description: 'The last error of a record of any project.',
  });

export const projectErrorPage = pageOf('ProjectErrorPage', projectError);
