import * as z from 'zod';
import { isAddressRange } from '../webhooks/address-rules.ts';
import { commaSeparated, setting, yesOrNo } from './settings.ts';

export const addressesSetting = () =>
  setting(
    commaSeparated.refine((ranges) => ranges.every(isAddressRange)),
    'addresses or ranges, such as 10.0.0.0/8,fd00::/8',
  );

/** Which addresses webhooks may reach, and the service's own, for the apps that store or send events. */
export const WEBHOOK_SETTINGS = {
  PUBLIC_URL: setting(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => !/[?#]/.test(url))
      .transform((url) => new URL(url).href.replace(/\/+$/, ''))
      .nullable()
      .default(null),
    'the public URL of the service, such as https://plugins.example.com',
  ),
  WEBHOOK_ALLOW_ADDRESSES: addressesSetting(),
  WEBHOOK_ALLOW_HTTP: setting(yesOrNo.default(false), 'true or false'),
} as const;
