import * as z from 'zod';
import { isAddressRange } from '../webhooks/address-rules.ts';
import { setting, yesOrNo } from './settings.ts';

/** Which addresses webhooks may reach, for the apps that store or send them. */
export const WEBHOOK_SETTINGS = {
  WEBHOOK_ALLOW_ADDRESSES: setting(
    z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((range) => range.trim())
          .filter(Boolean),
      )
      .refine((ranges) => ranges.every(isAddressRange)),
    'addresses or ranges, such as 10.0.0.0/8,fd00::/8',
  ),
  WEBHOOK_ALLOW_HTTP: setting(yesOrNo.default(false), 'true or false'),
} as const;
