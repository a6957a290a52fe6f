import * as z from 'zod';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { idParameter } from './parameter.ts';
import { responseMessage } from './response-text.ts';

export const reportedErrorQuery = z
  .object({
    ...pageParameters,
    record: idParameter.meta({ description: 'Only the error of this record.' }),
  })
  .transform(({ record, ...page }) => ({ ...page, recordId: record }));

export const reportedError = z
  .object({
    record: natural().meta({ description: 'Identifier of the record.', examples: [42] }),
    error: responseMessage.meta({
      description: 'The last error that the plugin reported, as in the record.',
    }),
    reported_at: moment.meta({ description: 'When it happened, according to the plugin.' }),
  })
  .meta({
    id: 'ReportedError',
    description: 'The last error of a record and its time.',
    examples: [{ record: 42, error: 'Connection refused', reported_at: '2026-03-02T18:04:11.250Z' }],
  });

export const reportedErrorPage = pageOf('ReportedErrorPage', reportedError);
